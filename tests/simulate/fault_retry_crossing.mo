// A relation that has no value where the error of a step makes a decaying state negative. It
// switches at time 0.2, whatever the steps.
//! command simulate {file} --stop 1 --intervals 50 --tolerance 1e-8 --output -
//! near s(1) = 0.8 within 1e-5
//! near low(0.18) = 0 within 0
//! near low(0.24) = 1 within 0
model CrossDecay
  Real x(start = 1, fixed = true), s(start = 0, fixed = true);
  Boolean low;
equation
  der(x) = -50*x;
  low = log(x) < -10;
  der(s) = if low then 1 else 0;
end CrossDecay;
