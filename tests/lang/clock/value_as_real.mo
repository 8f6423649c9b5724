model M
  Real x = Clock(0.1);
end M;
//! command check {file}
//! error T101 2:12
