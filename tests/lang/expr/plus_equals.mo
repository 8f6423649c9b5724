model M
  Real x, y;
equation
  x += y;
end M;
//! error P106 4:6
