model M
  Real A[3, 2] = cat(1, ones(2, 2), ones(1, 3));
end M;
//! command check {file}
//! error T150 2:37
