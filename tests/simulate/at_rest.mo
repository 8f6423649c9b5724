// Both sides of a relation come together and differ by their rounding errors only; those are no events.
//! command simulate {file} --stop 400 --intervals 400 --output -
//! near x(1) = 0.36787944117144233 within 1e-6
//! near x(400) = 0 within 1e-9
//! stat events_state < 4
model AtRest
  Real x(start = 1, fixed = true);
  Boolean above = exp(x) - 1 > x;
equation
  der(x) = -x;
end AtRest;
