//! command check {file}
model M
  Real x = min(1); //! error T150
end M;
