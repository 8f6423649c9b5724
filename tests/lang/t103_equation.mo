//! command check {file}
model M
  Real x[2];
equation
  x = 1; //! error T103
end M;
