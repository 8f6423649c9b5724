model M
  Real x;
algorithm
  x := 1;
  break;
end M;
//! command check {file}
//! error T178 5:3
