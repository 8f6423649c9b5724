model M
  Real x, y;
algorithm
  x + 1 := 2;
end M;
//! error P123 4:3
