model M
  Real A[2, 2] = identity({2});
end M;
//! command check {file}
//! error T150 2:27
