model M
  type A = B;
  type B = A;
  A x = 1;
end M;
//! command check {file}
//! error F122 2:12
