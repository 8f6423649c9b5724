//! command check {file}
model M
  Real x = 1;
  x y; //! error F102
end M;
