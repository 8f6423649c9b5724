model M
  type A = enumeration(a, b);
  Integer i = A;
end M;
//! command check {file}
//! error F112 3:15
