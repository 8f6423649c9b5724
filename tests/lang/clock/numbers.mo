model M "factors, counters and resolutions"
  Real x = sample(time, Clock(1, 10));
  Real a = subSample(x, -2); //! error D144
  Real b = superSample(x, -1); //! error D144
  Real c = shiftSample(x, -1); //! error D144
  Real d = backSample(x, 1, 0); //! error D144
end M;
//! command check {file}
//! message the factor of 'subSample' is at least 0, this is -2
//! message the counter of 'shiftSample' is at least 0, this is -1
//! message the resolution of 'backSample' is at least 1, this is 0
