model M "clocks are no values, and operators do not vectorise over them"
  Clock c = Clock(1, 10), d[2] = {Clock(1), Clock(2)};
  Clock sum = c + c; //! error T140
  Clock e = noClock(c); //! error T150
  Clock f[2] = subSample(d, 2); //! error T150
  Real h = hold(c); //! error T150
end M;
//! command check {file}
//! message 'noClock' needs a clocked value, this is Clock
//! message 'subSample' needs one clock, this is Clock[2]
