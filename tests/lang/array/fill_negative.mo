model M
  Real x[2] = fill(1, -2);
end M;
//! command check {file}
//! error T111 2:23
