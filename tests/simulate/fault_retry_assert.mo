// An assertion that only the error of a step violates: shorter steps keep it.
//! command simulate {file} --stop 1 --intervals 50 --output -
//! near x(0.2) = 4.53999297624849e-5 within 1e-6
//! near x(1) = 0 within 1e-6
model AssertDecay
  Real x(start = 1, fixed = true);
equation
  der(x) = -50*x;
  assert(x > 0, "x must stay positive");
end AssertDecay;
