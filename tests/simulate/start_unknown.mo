// Start values that are found by the initial equations hold, also computed and negated ones.
//! command simulate {file} --output - --stop 1
//! near p(0) = 3 within 1e-9
//! near x(0) = 3 within 1e-9
//! near y(0) = 6 within 1e-9
//! near z(0) = -3 within 1e-9
//! near x(1) = 1.1036383235143269 within 1e-5
model M
  parameter Real p(fixed = false, start = 1);
  parameter Real q = 2*p;
  Real x(start = p, fixed = true), y(start = q, fixed = true), z(start = -p, fixed = true);
initial equation
  p^2 + p = 12;
equation
  der(x) = -x;
  der(y) = -y;
  der(z) = x;
end M;
