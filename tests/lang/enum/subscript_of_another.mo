model M
  type A = enumeration(a, b);
  type B = enumeration(c, d);
  Real x[A] = {1, 2};
  Real y = x[B.c];
end M;
//! command check {file}
//! error T124 5:16
//! message
