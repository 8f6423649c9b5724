//! command check {file}
model M
  Real x = sin(true); //! error T150
end M;
