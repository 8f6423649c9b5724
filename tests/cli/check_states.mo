// What is integrated, what of it is independent, and why; a choice that stateSelect made.
//! command check {file}
//! output 10 states (7 independent)
//! output state set of 2 candidates, 2 states (1 independent), because fewer may become singular: vx, vy
//! output state set of 2 candidates, 1 states by stateSelect, a choice that may become singular: phi
//! output state set of 2 candidates, 2 states (1 independent), because fewer may become singular: p, q
model CheckStates
  Real x(start = 0.6, fixed = true), y(start = -0.8), vx(start = 0, fixed = true), vy, f;
  Real phi(start = 0.1, fixed = true, stateSelect = StateSelect.prefer), s, d;
  Real a(start = 1, fixed = true), b;
  Real p(start = 1, fixed = true), q(start = 1), r(start = 1, fixed = true), u(start = 1, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = f*x;
  der(vy) = f*y - 9.81;
  x^2 + y^2 = 1;
  s^3 + s = sin(phi);
  der(s) + der(phi) = d;
  d = 1;
  der(a) + der(b) = -a;
  b = 3*a + time;
  p*q = 1;
  der(p) + 2*der(q) = r;
  der(r) = u;
  der(u) = -r;
end CheckStates;
