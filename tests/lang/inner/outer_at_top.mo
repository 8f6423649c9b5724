model M
  outer Real u;
  Real x = u;
end M;
//! command check {file}
//! error F160 2:14
