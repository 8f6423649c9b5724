//! command check {file}
model M
  Real x = sum(true for i in 1:3); //! error T165
end M;
