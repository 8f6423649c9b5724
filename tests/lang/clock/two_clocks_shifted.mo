model M "a circle of operators that does not close: shifted on one way only"
  Real x, y, z;
equation
  x = sample(time, Clock(1, 10));
  y = superSample(x, 4);
  z = shiftSample(x, 1, 2) + subSample(y, 4);
end M;
//! command check {file}
//! error D131 6:30
//! message every 1/10 s, first at 0 s by this equation, every 1/10 s, first at 1/20 s by others
//! message 6:7: note: shiftSample here: every 1/10 s, first at 1/20 s
//! message note: give both the same clock, or lead the value through hold() and sample()
