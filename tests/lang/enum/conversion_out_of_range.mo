model M
  type A = enumeration(a, b);
  constant A x = A(3);
  Real y[Integer(x)] = ones(1);
end M;
//! command check {file}
//! error T197 3:20
