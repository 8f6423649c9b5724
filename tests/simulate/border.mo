// A characteristic with a bend that depends on its own unknown: at the bend both branches have the same
// solution, and the relation must settle and be left on the right side.
//! command simulate {file} --output - --stop 8 --intervals 80
//! near x(1) = 0.5 within 1e-9
//! near x(3.9) = 2.26666666666667 within 1e-9
//! near x(4.5) = 2 within 1e-9
//! near x(7.5) = 0.25 within 1e-9
model Border
  Real u = if time < 4 then time else 8 - time;
  Real x, i;
equation
  u = x + i;
  x = smooth(0, if x < 1 then i else 2*i - 1);
end Border;
