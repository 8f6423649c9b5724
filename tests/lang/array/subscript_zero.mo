model M
  Real x[2] = {1, 2};
  Real y = x[0];
end M;
//! command check {file}
//! error T121 3:14
