model M
  Real x, y;
equation
  connect(a, b, c);
end M;
//! error P105 4:15
