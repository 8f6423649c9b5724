//! command check {file}
model M
  Real x[3] = cross({1, 2}, {1, 2, 3}); //! error T150
end M;
