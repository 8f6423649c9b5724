model M
  Real x, y;
equation
  x + 1;
end M;
//! error P113 4:3
