//! command check {file}
model M
  type A = B; //! error F122
  type B = A;
  A x = 1;
end M;
