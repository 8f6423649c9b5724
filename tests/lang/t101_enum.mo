//! command check {file}
model M
  type A = enumeration(x, y);
  type B = enumeration(p, q, r);
  A a = B.p; //! error T101
end M;
