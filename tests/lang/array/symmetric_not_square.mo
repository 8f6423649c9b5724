model M
  Real A[2, 3] = symmetric(ones(2, 3));
end M;
//! command check {file}
//! error T150 2:28
