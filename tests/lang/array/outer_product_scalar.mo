model M
  Real A[2, 2] = outerProduct({1, 2}, 3);
end M;
//! command check {file}
//! error T150 2:39
