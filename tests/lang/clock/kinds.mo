model M
  Real x, y;
equation
  x = sample(time, Clock(1, 10));
  y = x + sample(time, Clock(0.1));
end M;
//! command check {file}
//! error D134 5:24
//! message it is given here
