model M
  Real x[3] = {1, 2, 3};
  Real y[2] = x[3:4];
end M;
//! command check {file}
//! error T121 3:18
