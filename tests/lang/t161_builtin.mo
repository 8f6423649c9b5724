//! command check {file}
model M
  Real x = sin(angle = 1); //! error T161
end M;
