model M
  Real x[4] = vector({{1, 2}, {3, 4}});
end M;
//! command check {file}
//! error T150 2:22
