model M
  Real x, y;
equation
  x = 1 * / 2;
end M;
//! error P106 4:11
