model M
  Real x, y;
equation
  x = sample(time, Clock(1, 10)) + y;
  y = sample(time, Clock(2, 10));
end M;
//! command check {file}
//! error D131 5:20
//! message note: give both the same clock, or lead the value through hold() and sample()
