//! command check {file}
model M
  Real r = 1;
  Real x = r.b; //! error F106
end M;
