//! command check {file}
model M
  type E = enumeration(
    a,
    min); //! error F115
  E e = E.a;
end M;
