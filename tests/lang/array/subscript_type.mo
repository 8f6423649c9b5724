// A dimension is subscripted by its own type.
//! command check {file}
model M
  Real x[3] = {1, 2, 3};
  Real b[Boolean] = {1, 2};
  Real y = x[true]; //! error T124
  Real z = b[1]; //! error T124
  Real w = b[true] + x[1];
end M;
