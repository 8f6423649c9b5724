//! command check {file}
model M
  Real x = 1;
  Real y = inStream(x); //! error T150
end M;
