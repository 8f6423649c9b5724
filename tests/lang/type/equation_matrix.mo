model M
  Real A[2, 3];
equation
  A = zeros(3, 2);
end M;
//! command check {file}
//! error T103 4:3
//! message Real[2, 3] = Integer[3, 2]
