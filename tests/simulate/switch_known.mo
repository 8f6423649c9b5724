// Booleans that follow from numbers are true or false for good and choose the branch of an if-equation before the structure
// is looked at: the open port makes two pressures equal, so one of the two volumes is no state, and the flow between them follows from
// the derivatives. The equation could not be solved for the flow (R102).
//! command simulate {file} --output - --stop 1 --intervals 2
//! near a.p(1) = 2.5 within 1e-9
//! near b.p(1) = 2.5 within 1e-9
//! near b.q(1) = 3 within 1e-9
//! near n(1) = 0 within 0
//! near late(1) = 1 within 0
model switch_known
  model Volume
    parameter Real c = 1;
    Real p, q, s, level, height;
    Boolean open, into;
  equation
    c*der(p) = q;
    level = 0;
    height = 0;
    open = level >= height;
    into = not open and s > 0;
  end Volume;
  Volume a(p(start = 2, fixed = true)), b(c = 3);
  Real p, q, source = 4*time;
  Integer n(start = 0, fixed = true);
  Boolean late(start = false, fixed = true);
equation
  a.q = source - q;
  b.q = q;
  if a.open then
    a.p = p;
    a.s = 0;
  elseif a.into then
    a.p = p;
    a.s = q;
  else
    q = 0;
    a.s = p - a.p;
  end if;
  if b.open then
    b.p = p;
    b.s = 0;
  else
    b.s = p;
    b.p = 0;
  end if;
  when {b.open, time > 2} then
    n = pre(n) + 1;
  end when;
  when edge(b.open) or time > 0.5 then
    late = true;
  end when;
end switch_known;
