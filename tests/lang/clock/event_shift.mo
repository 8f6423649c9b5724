model M "clocks of conditions get no new ticks"
  Clock u = Clock(sin(time) > 0.5); //! error D132
  Clock s = shiftSample(u, 2, 3);
  Real x = sample(time, s);
end M;
//! command check {file}
