//! command check {file}
//! error T140 4:30
model M
  Real A[2, 2] = [1, 2; 3, 4]^2.5;
end M;
