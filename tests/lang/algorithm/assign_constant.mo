model M
  constant Real c = 1;
  Real x;
algorithm
  x := c;
  c := 2;
end M;
//! command check {file}
//! error T176 6:3
//! message constant 'c' cannot be assigned
