// A mass that rests at a stop stays there exactly, also inside long steps of other states: the relation
// that holds it does not switch by rounding errors.
//! command simulate {file} --stop 20 --intervals 500 --method radauIIA5 --output -
//! near n(20) = 1 within 0
//! near s(20) = 0.35 within 1e-15
//! near s(0.48) = 0.1152 within 1e-6
//! near u(20) = 0.408082061813392 within 1e-4
model HardStop
  Real s(start = 0, fixed = true), v(start = 0, fixed = true);
  Real u(start = 1, fixed = true), w(start = 0, fixed = true);
  Boolean stopped(start = false, fixed = true);
  discrete Integer n(start = 0, fixed = true);
equation
  der(s) = v;
  der(v) = if stopped then 0 else 1;
  der(u) = -w;
  der(w) = u;
  stopped = s >= 0.4 - 0.1/2;
  when stopped then
    reinit(s, 0.4 - 0.1/2);
    reinit(v, 0);
  end when;
  when change(stopped) then
    n = pre(n) + 1;
  end when;
end HardStop;
