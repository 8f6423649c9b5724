model M
  Real x, y;
algorithm
  x + 1;
end M;
//! error P113 4:3
