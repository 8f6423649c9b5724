//! command check {file}
model M
  Real x[2, 2] = {{1, 2}, {3}}; //! error T133
end M;
