model M
  Real x, y, z;
equation
  x = sample(time, Clock(1, 10));
  y = subSample(x, 2);
  z = y + subSample(x, 3);
end M;
//! command check {file}
//! error D131 6:11
//! message every 3/10 s, first at 0 s by this equation, every 1/5 s, first at 0 s by others
//! message 5:7: note: subSample here: every 1/5 s, first at 0 s
//! message the clock is given here: every 1/10 s
//! message 6:11: note: both agree with the factor 2 in this subSample, or without a factor
