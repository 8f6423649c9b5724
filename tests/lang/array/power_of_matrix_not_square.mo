model M
  Real A[2, 3] = ones(2, 3)^2;
end M;
//! command check {file}
//! error T140 2:28
