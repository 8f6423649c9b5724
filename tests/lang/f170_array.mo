//! command check {file}
model M //! error F170
  Real x[3];
equation
  x[1] = 1;
  x[2] = 2;
end M;
