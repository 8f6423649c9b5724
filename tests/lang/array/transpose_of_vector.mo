model M
  Real x[2] = transpose({1, 2});
end M;
//! command check {file}
//! error T150 2:25
