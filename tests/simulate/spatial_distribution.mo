// Transport along a pipe of length 1 against its exact solution: first to the right with the
// initial values leaving, then back again; one end sees what entered the other one before.
//! command simulate {file} --stop 4 --intervals 8 --output -
//! near b(0.5) = 5.5 within 1e-9
//! near b(1.5) = 0.479425538604203 within 1e-5
//! near b(2) = 0.841470984807897 within 1e-5
//! near a(2) = 0.909297426825682 within 1e-9
//! near a(2.5) = 0.99749498660405445 within 1e-5
//! near a(3.5) = 7 within 1e-9
//! near b(3.5) = 7 within 1e-9
//! near q(0.5) = 0 within 0
//! near q(1.5) = 0.5 within 1e-6
model M
  Real x(start = 0, fixed = true);
  Real v = if time < 2 then 1 else -1;
  Real a, b, p, q;
equation
  der(x) = v;
  (a, b) = spatialDistribution(sin(time), 7, x, v > 0, {0, 0.5, 1}, {1, 5.5, 3});
  (p, q) = spatialDistribution(time, 0, time, true);
end M;
