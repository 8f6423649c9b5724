model M
  Real x, y;
equation
  x = if true 1 else 2;
end M;
//! error P101 4:15
