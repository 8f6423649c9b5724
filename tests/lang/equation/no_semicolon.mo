model M
  Real x, y;
equation
  x = 1
  y = 2;
end M;
//! error P102 4:8
