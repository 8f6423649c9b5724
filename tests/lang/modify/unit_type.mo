model M
  Real x(unit = 1) = 2;
end M;
//! command check {file}
//! error T101 2:17
