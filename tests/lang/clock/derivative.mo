model M "operators that lead to another clock have no derivative"
  Real x, y, z;
equation
  x = sample(time, Clock(Clock(1, 10), "ImplicitEuler"));
  y = der(subSample(x, 2)); //! error T150
  z = der(2*sample(time)); //! error T150
end M;
//! command check {file}
//! message 'der' needs a value that changes with time: 'subSample' has no derivative
