model M "intervals are exact fractions"
  Real x = sample(time, Clock(1, 1000000007));
  Real y = subSample(x, 2000000011), z = subSample(y, 2000000033);
  Real w = subSample(z, 2000000063); //! error D132
end M;
//! command check {file}
//! message too many digits to be held exactly
