//! command check {file}
model M
  Real x = 1;
  external "C"; //! error F115
end M;
