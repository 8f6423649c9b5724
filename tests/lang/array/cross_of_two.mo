model M
  Real x[3] = cross({1, 2}, {1, 2, 3});
end M;
//! command check {file}
//! error T150 2:21
