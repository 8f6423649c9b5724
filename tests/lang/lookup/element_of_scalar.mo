model M
  Real x = 1;
  Real y = x.z;
end M;
//! command check {file}
//! error F106 3:14
