model M
  Real x[2] = {{1, 2}, {3, 4}};
end M;
//! command check {file}
//! error T102 2:15
