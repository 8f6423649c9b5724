model M
  Real x[4] = cat(2, {1, 2}, {3, 4});
end M;
//! command check {file}
//! error T150 2:19
