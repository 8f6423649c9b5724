model M
  type A = enumeration(a, b);
  type B = enumeration(c, d);
  A x = B.c;
end M;
//! command check {file}
//! error T101 4:11
