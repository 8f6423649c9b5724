model M
  Real x = sum(i for i in 4);
end M;
//! command check {file}
//! error T170 2:27
