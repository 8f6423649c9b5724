//! command check {file}
model M
  type E = enumeration(red, green);
  E e = E.blue; //! error F107
end M;
