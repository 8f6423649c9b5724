model M
  parameter Real p = 1;
  Real x;
algorithm
  x := p;
  p := 2;
end M;
//! command check {file}
//! error T176 6:3
