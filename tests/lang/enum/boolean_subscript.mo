model M
  Real x[Boolean] = {1, 2};
  Real y = x[1];
end M;
//! command check {file}
//! error T124 3:14
