model M
  Real x, y;
equation
  x = "a" y;
end M;
//! error P101 4:11
