model M
  parameter Integer n = 2;
  Real x[n - 4];
end M;
//! command check {file}
//! error T111 3:12
