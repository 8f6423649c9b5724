model M
  Real x[2] = {1, 2};
  Real y = x[1.5];
end M;
//! command check {file}
//! error T120 3:14
