model M
  type A = enumeration(a, b);
  A x(unit = "m") = A.a;
end M;
//! command check {file}
//! error F130 3:7
