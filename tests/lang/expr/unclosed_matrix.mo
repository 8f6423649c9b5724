model M
  Real x, y;
equation
  x = [1, 2; 3, 4;
end M;
//! error P105 5:1
