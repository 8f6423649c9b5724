//! command check {file}
model M
  Boolean b = time > 1;
  Real x = der(b); //! error T150
end M;
