model M
  Real x, y;
equation
  x = 1 + not true;
end M;
//! error P109 4:11
