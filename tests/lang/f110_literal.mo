//! command check {file}
model M
  type E = enumeration(a, b, a); //! error F110
  E e = E.a;
end M;
