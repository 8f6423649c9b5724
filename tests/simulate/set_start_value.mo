// Start values of states and guesses, and parameters that others are computed from.
//! command simulate {file} --set x=3 --set b=10 --set c.p[2]=7 --stop 1 --output -
//! near x(0) = 3 within 0
//! near x(1) = 14 within 1e-9
//! near b(1) = 10 within 0
//! near d(1) = 11 within 0
//! near s(1) = 8 within 0
model Settings
  model Part
    parameter Real p[2] = {1, 2};
    Real s = sum(p);
  end Part;
  parameter Real a = 1, b = 2*a, d = b + 1;
  Part c;
  Real x(start = 0, fixed = true), s = c.s;
equation
  der(x) = d;
end Settings;
