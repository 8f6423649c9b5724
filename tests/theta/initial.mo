// Initial equations that speak of fast states alone are guesses: from z = 0.1 the process goes to the upper one of
// its equilibria z^3 = z, and y falls with its own initial equation.
//! command simulate {file} --tolerance 1e-9 --output -
//! near z(0) = 1 within 1e-9
//! near y(1) = -0.5 within 1e-8
model M
  parameter Real THETA = 1;
  Real y, z(start = 0.1);
initial equation
  y = 0.5;
  z = 0.3;
equation
  der(y) = -z;
  THETA*der(z) = z - z^3;
end M;
