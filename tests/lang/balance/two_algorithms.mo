model M
  Real x;
algorithm
  x := 1;
algorithm
  x := 2;
end M;
//! command check {file}
//! error F170 1:7
