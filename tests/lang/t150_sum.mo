//! command check {file}
model M
  Real x = sum({true, false}); //! error T150
end M;
