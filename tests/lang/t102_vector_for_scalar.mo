//! command check {file}
model M
  Real x = {1, 2}; //! error T102
end M;
