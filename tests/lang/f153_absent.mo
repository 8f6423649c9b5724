//! command check {file}
model M
  Real x if false;
  Real y = x; //! error F153
end M;
