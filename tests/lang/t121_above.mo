//! command check {file}
model M
  Real x[2] = {1, 2};
  Real y = x[3]; //! error T121
end M;
