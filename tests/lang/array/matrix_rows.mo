model M
  Real A[2, 2] = [1, 2; 3];
end M;
//! command check {file}
//! error T133 2:25
