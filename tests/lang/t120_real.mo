//! command check {file}
model M
  Real x[2] = {1, 2};
  Real y = x[1.5]; //! error T120
end M;
