model M
  Real x, y;
equation
  x = sample(time, Clock(sin(time) > 0.5));
  y = superSample(x, 2);
end M;
//! command check {file}
//! error D132 4:20
//! message can only be subsampled
