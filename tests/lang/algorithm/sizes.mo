model M
  Real x[2];
algorithm
  x := {1, 2, 3};
end M;
//! command check {file}
//! error T103 4:3
