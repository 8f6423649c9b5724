//! command check {file}
model M
  Real x = "one"; //! error T101
end M;
