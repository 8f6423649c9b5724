model M
  Real x[9000000000];
end M;
//! command check {file}
//! error T111 2:10
