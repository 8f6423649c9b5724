//! command check {file}
model M
  Real x[2] = {1, 2};
  Real y = x[1, 1]; //! error T122
end M;
