model M
  Real x, y;
equation
  x;
end M;
//! error P113 4:3
