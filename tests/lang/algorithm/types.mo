model M
  Real x;
algorithm
  x := true;
end M;
//! command check {file}
//! error T103 4:3
