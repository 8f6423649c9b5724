//! command check {file}
model M
  Real x[2, 3] = cat(1, zeros(1, 3), zeros(1, 2)); //! error T150
end M;
