model M
  Real x = 1;
equation
  x = 2;
end M;
//! command check {file}
//! error F170 1:7
//! message 'x' has a value in its declaration
