//! command check {file}
model M
  Integer n = integer(time);
  Real x[n]; //! error F150
end M;
