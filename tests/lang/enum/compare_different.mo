model M
  type A = enumeration(a, b);
  type B = enumeration(c, d);
  Boolean x = A.a == B.c;
end M;
//! command check {file}
//! error T140 4:19
