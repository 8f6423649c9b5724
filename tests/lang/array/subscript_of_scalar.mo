model M
  Real x = 1;
  Real y = x[1];
end M;
//! command check {file}
//! error T122 3:12
