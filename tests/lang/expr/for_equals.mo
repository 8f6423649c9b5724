model M
  Real x, y;
equation
  x = sum(i for i = 1:2);
end M;
//! error P101 4:19
