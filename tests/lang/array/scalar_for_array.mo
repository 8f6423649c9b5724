model M
  Real x[2] = 1;
end M;
//! command check {file}
//! error T102 2:15
