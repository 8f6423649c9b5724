model M
  type A = enumeration(a, b);
  parameter A x(start = 1) = A.a;
  Real y = 1;
end M;
//! command check {file}
//! error T101 3:25
