model M
  Real x, y;
equation
  x = sum(i for in 1:2);
end M;
//! error P115 4:17
