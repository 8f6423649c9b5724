//! command check {file}
model M //! error F170
  Real x;
end M;
