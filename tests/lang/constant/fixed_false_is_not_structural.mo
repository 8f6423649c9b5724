model M
  parameter Integer n(fixed = false);
  Real x[n];
initial equation
  n = 3;
end M;
//! command check {file}
//! error F150 3:10
//! message computed at initialization
