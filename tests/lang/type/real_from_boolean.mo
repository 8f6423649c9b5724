model M
  Real x = true;
end M;
//! command check {file}
//! error T101 2:12
