// A state whose start value stands in the text comes before one with the default.
//! command simulate {file} --model M --stop 0 --output -
//! warning D122
//! message the start value of b is taken as an initial condition
//! near b(0) = 4 within 1e-12
//! near a(0) = 6 within 1e-12
model M
  Real a, b(start = 4);
initial equation
  a + b = 10;
equation
  der(a) = -a;
  der(b) = -b;
end M;
