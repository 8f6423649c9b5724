//! command check {file}
model M
  Real x = foo(1); //! error F111
end M;
