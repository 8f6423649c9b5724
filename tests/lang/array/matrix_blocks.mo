model M
  Real a[2] = {1, 2}, b[3] = {1, 2, 3};
  Real A[2, 2] = [a, b];
end M;
//! command check {file}
//! error T150 3:22
