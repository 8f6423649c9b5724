model M
  Real x[-1];
end M;
//! command check {file}
//! error T111 2:10
