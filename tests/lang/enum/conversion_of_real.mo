model M
  type A = enumeration(a, b);
  A x = A(1.5);
end M;
//! command check {file}
//! error T150 3:11
