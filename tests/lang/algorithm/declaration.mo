model M
  Real x, y;
algorithm
  Real z;
  x := 1;
end M;
//! error P125 4:3
