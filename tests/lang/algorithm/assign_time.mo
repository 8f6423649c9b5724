model M
  Real x = 1;
algorithm
  time := 2;
end M;
//! command check {file}
//! error T174 4:3
