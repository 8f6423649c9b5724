model M
  Real x, y;
equation
  x = sample(time, Clock(1, 10));
  y = backSample(x, 1);
end M;
//! command check {file}
//! error D136 5:7
