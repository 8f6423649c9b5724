model M
  Real x, y;
equation
  connect(a, 3);
end M;
//! error P101 4:14
