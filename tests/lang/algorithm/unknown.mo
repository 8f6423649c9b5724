model M
  Real x;
algorithm
  x := 1;
  y := 2;
end M;
//! command check {file}
//! error F100 5:3
