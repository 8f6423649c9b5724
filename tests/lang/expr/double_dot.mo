model M
  Real x, y;
equation
  x = a..b;
end M;
//! error P101 4:9
