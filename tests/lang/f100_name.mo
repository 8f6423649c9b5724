//! command check {file}
model M
  Real x = y; //! error F100
end M;
