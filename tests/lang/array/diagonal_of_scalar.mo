model M
  Real A[2, 2] = diagonal(3);
end M;
//! command check {file}
//! error T150 2:27
