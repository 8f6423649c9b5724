model M
  Real x, y;
equation
  x = 2^3^4;
end M;
//! error P110 4:10
