model M "before the first tick there is a start value, so a variable is needed"
  Real x, y, z, w;
equation
  x = sample(time, Clock(1, 10));
  y = hold(2*x); //! error T150
  z = shiftSample(x, 2);
  w = backSample(z + 1, 1); //! error T150
end M;
//! command check {file}
//! message 'hold' needs a variable, this is an expression: before the first tick it has the start value
