model M
  Real A[3, 3] = skew({1, 2});
end M;
//! command check {file}
//! error T150 2:23
