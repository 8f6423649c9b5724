//! command check {file}
model M
  Real x[2] = {1, true}; //! error T133
end M;
