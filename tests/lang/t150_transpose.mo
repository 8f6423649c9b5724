//! command check {file}
model M
  Real x[2] = transpose({1, 2}); //! error T150
end M;
