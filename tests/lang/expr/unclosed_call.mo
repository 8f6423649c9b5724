model M
  Real x, y;
equation
  x = sin(1;
end M;
//! error P105 4:12
