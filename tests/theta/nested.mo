// A process inside of a process: w follows z infinitely faster than z follows y.
//! command simulate {file} --stop 5 --intervals 10 --tolerance 1e-11 --output -
//! near y(0.5) = 1.0922402106572 within 1e-9
//! near z(1) = 0.44107211645099 within 1e-9
//! near y(1) = 0.82167599137746 within 1e-9
//! near y(2) = 0.5110540750485 within 1e-9
//! near z(5) = 0.041809067959159 within 1e-9
//! near y(5) = 0.21534663309514 within 1e-9
//! stat theta.levels = 2
//! stat theta.processes = 1
model Nested
  Real y(start = 1.5, fixed = true), z(start = 1), w(start = 1);
  constant Real THETA = 1.0;
equation
  der(y) = -z;
  THETA*der(z) = y - z - 0.5*w;
  THETA^2*der(w) = z - w^3;
end Nested;
