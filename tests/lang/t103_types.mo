//! command check {file}
model M
  Real x;
equation
  x = true; //! error T103
end M;
