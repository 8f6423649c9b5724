model M
  Real x, y;
  Integer n = 2;
equation
  x = sample(time, Clock(1, 10));
  y = subSample(x, n);
end M;
//! command check {file}
//! error D148 6:20
