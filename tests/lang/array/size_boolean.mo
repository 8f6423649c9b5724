model M
  Real x[true];
end M;
//! command check {file}
//! error T110 2:10
