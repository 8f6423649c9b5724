// Parameters computed from one that the initial equations determine: they are part of the initial system,
// and their values hold there and afterwards.
//! command simulate {file} --stop 1 --intervals 10 --output -
//! near a(0) = 5 within 1e-12
//! near b(0) = 5 within 1e-12
//! near d(0) = 15 within 1e-12
//! near s(0) = 17 within 0
//! near x(1) = 15 within 1e-9
//! near y(1) = 25 within 1e-9
model Dependent
  parameter Real a(fixed = false), b = a, c[2] = {b, 2*a}, d = c[1] + c[2];
  parameter Real e = if b > 3 then c[2] else 0;
  Real x(start = 0, fixed = true), y;
  Integer s;
initial equation
  a^3 = 125;
  y = d;
  pre(s) = integer(d + 0.5) + 1;
equation
  der(x) = d;
  der(y) = e;
  when sample(0, 2) then
    s = pre(s) + 1;
  end when;
end Dependent;
