model M
  Real x, y;
equation
  x = sample(time, Clock(1, 10)) + superSample(y, 2);
  y = subSample(x, 2);
end M;
//! command check {file}
//! error D141 4:3
//! message x, y depend on each other at one tick
//! message 4:36: note: the loop goes through here
//! message take one of these values from the tick before, with previous()
