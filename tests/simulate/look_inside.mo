// The state rests, so that steps may be as long as the run, while a source crosses a border and comes
// back: both events must be seen.
//! command simulate {file} --stop 10 --intervals 20 --output -
//! near x(1) = 0 within 1e-12
//! near high(1.5) = 1 within 0
//! near x(5) = 1.00228180399169 within 1e-9
//! near x(10) = 2.00456360798339 within 1e-9
model LookInside
  Real x(start = 0, fixed = true);
  Boolean high = sin(0.9*time) > 0.9;
  Real u = if high then 1 else 0;
equation
  der(x) = u;
end LookInside;
