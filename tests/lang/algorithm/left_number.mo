model M
  Real x, y;
algorithm
  3 := x;
end M;
//! error P123 4:3
