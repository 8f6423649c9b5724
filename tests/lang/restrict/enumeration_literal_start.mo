//! command check {file}
model M
  type E = enumeration(
    start, //! error F115
    b);
  E e = E.b;
end M;
