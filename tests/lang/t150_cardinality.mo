//! command check {file}
model M
  Real x = 1;
  Integer n = cardinality(x); //! error T150
end M;
