model M "nor has a variable that is sampled"
  Real x, y;
equation
  x = sample(time, Clock(Clock(1, 10), "ImplicitEuler")); //! error D110
  y = der(x);
end M;
//! command check {file}
//! message must be differentiated, but a value of another clock has no derivative
