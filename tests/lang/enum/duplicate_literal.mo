model M
  type A = enumeration(a, b, a);
  A x = A.a;
end M;
//! command check {file}
//! error F110 2:30
