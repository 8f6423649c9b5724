//! command check {file}
model M
  Real x[3] = 1; //! error T102
end M;
