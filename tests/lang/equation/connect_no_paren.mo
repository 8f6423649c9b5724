model M
  Real x, y;
equation
  connect a, b;
end M;
//! error P101 4:11
