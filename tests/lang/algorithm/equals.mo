model M
  Real x, y;
algorithm
  x = 1;
end M;
//! error P108 4:5
