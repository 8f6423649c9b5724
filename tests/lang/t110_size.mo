//! command check {file}
model M
  Real x[2.5]; //! error T110
end M;
