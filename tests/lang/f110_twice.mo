//! command check {file}
model M
  Real x = 1;
  Integer x = 2; //! error F110
end M;
