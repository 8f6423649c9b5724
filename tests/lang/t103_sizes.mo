//! command check {file}
model M
  Real x[2];
  Real y[3] = {1, 2, 3};
equation
  x = y; //! error T103
end M;
