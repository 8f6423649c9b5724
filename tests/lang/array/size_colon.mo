model M
  parameter Real x[:];
  Real y = 1;
end M;
//! command check {file}
//! error F151 2:18
//! message 'x' needs a value that tells its size
