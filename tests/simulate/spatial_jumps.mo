// Jumps of what enters a pipe arrive at the other end as events: a counter there sees each of them once and
// an integral gets no smeared front, also after the flow has turned twice.
//! command simulate {file} --stop 6 --intervals 60 --tolerance 1e-8 --output -
//! near n(0.9) = 0 within 0
//! near n(1.1) = 1 within 0
//! near n(1.8) = 2 within 0
//! near n(3.5) = 2 within 0
//! near out(1.5) = 2 within 1e-12
//! near out(1.8) = 5 within 1e-12
//! near area(1) = 0 within 1e-9
//! near area(1.7) = 1.4 within 1e-9
//! near area(2) = 2.75 within 1e-9
//! near back(2.9) = 5 within 1e-12
//! near back(3.1) = -1 within 1e-12
//! near gone(3) = 5 within 1e-8
//! near gone(3.5) = 4.5 within 1e-8
//! near n(4.4) = 2 within 0
//! near out(4.4) = -1 within 1e-12
//! near out(4.6) = 5 within 1e-12
//! near n(6) = 3 within 0
//! near area(6) = 9.25 within 1e-8
model Jumps
  Real x(start = 0, fixed = true), area(start = 0, fixed = true), gone(start = 0, fixed = true);
  Real v = if time < 2 then 1 else if time < 3.5 then -1 else 1;
  Real in0 = if time < 0.75 then 2 else 5;
  Real back, out;
  discrete Integer n(start = 0, fixed = true);
equation
  der(x) = v;
  (back, out) = spatialDistribution(in0, -1, x, v > 0);
  der(area) = if v > 0 then out else 0;
  der(gone) = if v > 0 then 0 else back;
  when {out > 1, out > 4} then
    n = pre(n) + 1;
  end when;
end Jumps;
