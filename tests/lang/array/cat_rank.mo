model M
  Real x[3] = cat(1, {1, 2}, 3);
end M;
//! command check {file}
//! error T150 2:30
