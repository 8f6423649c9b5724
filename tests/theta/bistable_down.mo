// The start value selects the equilibrium; Newton's method would go to the unstable one.
//! command simulate {file} --stop 1 --intervals 1 --output -
//! near z(0) = -1 within 1e-9
//! near z(1) = -1 within 1e-9
model Bistable
  Real z(start = -0.01), x(start = 0, fixed = true);
equation
  Rubato.THETA*der(z) = z - z^3;
  der(x) = z;
end Bistable;
