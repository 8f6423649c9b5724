model M
  Real x[2] = atan2({1, 2}, {1, 2, 3});
end M;
//! command check {file}
//! error T150 2:29
