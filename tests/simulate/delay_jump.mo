// A jump arrives later by the delay, at an event of its own; a delay of a delay adds up; values
// between events are exactly what they were.
//! command simulate {file} --stop 2 --intervals 8 --output -
//! near z(0.74) = 0 within 0
//! near n(2) = 0.75 within 1e-12
//! near m(2) = 1.25 within 1e-12
//! near k(2) = 3 within 0
//! near i(2) = 5 within 0
//! near x(2) = 1.25 within 1e-7
model M
  Real u = if time >= 0.5 then 1 else 0;
  Real z = delay(u, 0.25);
  Real zz = delay(z, 0.5);
  Real x(start = 0, fixed = true);
  discrete Real n(start = 0, fixed = true), m(start = 0, fixed = true);
  discrete Integer k(start = 0, fixed = true);
  Integer level(start = 1, fixed = true);
  Real r = level;
  Integer i = integer(delay(r, 0.1));
equation
  der(x) = z;
  when z > 0.5 then
    n = time;
  end when;
  when zz > 0.5 then
    m = time;
  end when;
  when sample(0.3, 0.5) then
    level = pre(level) + 1;
  end when;
  when {i >= 2, i >= 3, i >= 4} then
    k = pre(k) + 1;
  end when;
end M;
