model M
  Real x, y;
equation
  x = 2 + -3;
end M;
//! error P109 4:11
