//! command check {file}
//! error H105 5:12
//! message in a when-clause or between clocks
model M
  Real c = sample(1e-3*Rubato.THETA, Clock(Clock(1, 10), "ImplicitEuler")), z(start = 0);
equation
  c*der(z) = 1 - z;
end M;
