model M
  Real x, y;
equation
  connect(a);
end M;
//! error P101 4:12
