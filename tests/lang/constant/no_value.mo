model M
  constant Real c;
  Real x = c;
end M;
//! command check {file}
//! error F126 2:17
//! message constant 'c' has no value
