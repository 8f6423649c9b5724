model M
  Real x(fixed = 1);
equation
  der(x) = 1;
end M;
//! command check {file}
//! error T101 2:18
