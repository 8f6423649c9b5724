//! command check {file}
model M
  parameter Integer n;
  Real x[n]; //! error F150
end M;
