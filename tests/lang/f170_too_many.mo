//! command check {file}
model M //! error F170
  Real x = 1;
equation
  x = 2;
end M;
