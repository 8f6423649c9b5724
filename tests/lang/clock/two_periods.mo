model M
  Real x, y;
equation
  x = sample(time, Clock(1, 10)) + y;
  y = sample(time, Clock(2, 10));
end M;
//! command check {file}
//! error D131 5:20
