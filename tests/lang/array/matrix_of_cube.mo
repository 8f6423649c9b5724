model M
  Real A[2, 2] = matrix(ones(2, 2, 2));
end M;
//! command check {file}
//! error T150 2:25
