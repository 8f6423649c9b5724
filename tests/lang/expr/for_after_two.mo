model M
  Real x, y;
equation
  x = sum(1, i for i in 1:2);
end M;
//! error P117 4:16
