//! command check {file}
model M
  Real x = 1;
  Real y = x[1]; //! error T122
end M;
