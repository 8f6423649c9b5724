// A value that is not finite in a clocked partition is traced to its equation.
//! command simulate {file} --output - --stop 1
//! error R103 10:3
//! message the square root of -0.1, in the equation for 'r'
//! exit 3
model ClockNotFinite
  Real r(start = 1), u;
equation
  u = sample(time, Clock(1, 4));
  r = sqrt(0.4 - u);
end ClockNotFinite;
