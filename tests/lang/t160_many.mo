//! command check {file}
model M
  Real x = sin(1, 2); //! error T160
end M;
