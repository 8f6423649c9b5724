// Events inside of a discretised partition (16.8.1): relations, edge, change, when-clauses with their own rounds of event iteration,
// reinit and the left limit, assertions and the end of the simulation in them, an algebraic loop, noEvent. The ball falls with explicit Euler
// steps of 0.1 s; when it is too low it is lifted to 0.2 with half of its speed.
//! command simulate {file} --output - --stop 5 --interval 0.05
//! warning R105 50:5
//! message at time 1.2: bounced 2 times
//! message the model ended the simulation at time 1.8: enough
//! near h(0.45) = 0.4 within 1e-12
//! near h(0.55) = 0.2 within 1e-12
//! near v(0.55) = 2.5 within 1e-12
//! near left(0.55) = -5 within 1e-12
//! near last(0.55) = -4 within 1e-12
//! near h(0.65) = 0.45 within 1e-12
//! near v(1.25) = 2.25 within 1e-12
//! near n(1.75) = 2 within 0
//! near edges(0.45) = 0 within 0
//! near edges(1.75) = 1 within 0
//! near changes(1.75) = 2 within 0
//! near late(1.75) = 1 within 0
//! near twice(1.75) = 4 within 0
//! near root(0.55) = 1 within 1e-9
//! near slow(0.45) = 0.6 within 1e-12
//! near slow(1.75) = 0 within 1e-12
model ClockEvents
  Real h(start = 1, fixed = true), v(start = 0, fixed = true), left(start = 0), last(start = 0);
  Real root(start = 1), slow(start = 1, fixed = true), t(start = 0, fixed = true);
  Integer n(start = 0), edges(start = 0), changes(start = 0), late(start = 0), twice(start = 0);
  Boolean high(start = false);
equation
  when Clock(Clock(1, 10), "ExplicitEuler") then
    der(h) = v;
    der(v) = -10;
    der(t) = 1;
    high = t > 0.75 and t < 1.35;
    root^3 + root = 1 + 5*h;
    der(slow) = if noEvent(slow > 0.05) then -1 else 0;
  end when;
  when h < 0.05 then
    reinit(v, -0.5*pre(v));
    reinit(h, 0.2);
    left = pre(v);
    last = previous(v);
    n = pre(n) + 1;
  end when;
  when n >= 1 then
    late = pre(late) + 1;
  end when;
  when change(n) then
    twice = 2*n;
    assert(n < 2, "bounced " + String(n) + " times", AssertionLevel.warning);
  end when;
  when n >= 3 then
    terminate("enough");
  end when;
  when edge(high) then
    edges = pre(edges) + 1;
  end when;
  when change(high) then
    changes = pre(changes) + 1;
  end when;
end ClockEvents;
