// A relation that has no value where the error of a step makes a decaying state negative. It
// switches at log(1e-9)/(-50), whatever the steps.
//! command simulate {file} --stop 1 --intervals 50 --tolerance 1e-9 --output -
//! near s(1) = 0.58553163 within 2e-3
//! near low(0.38) = 0 within 0
//! near low(0.44) = 1 within 0
model CrossDecay
  Real x(start = 1, fixed = true), s(start = 0, fixed = true);
  Boolean low;
equation
  der(x) = -50*x;
  low = log(x) < -20.7232658369464;
  der(s) = if low then 1 else 0;
end CrossDecay;
