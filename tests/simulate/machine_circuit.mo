// A circuit in a state: its components keep what they have while the state is not active. 4 V through 2 Ohm to 1 F and a
// tick every second: explicit Euler gives v = V + (4 - V)/2, 0, 2 at n = 0, 1; the state is active again at n = 4, 5.
//! command simulate {file} --output - --stop 6 --interval 0.5
//! near a.y(0.5) = 0 within 0
//! near a.y(1.5) = 2 within 1e-14
//! near a.y(2.5) = 2 within 1e-14
//! near a.y(3.5) = 2 within 1e-14
//! near a.y(4.5) = 3 within 1e-14
//! near a.y(5.5) = 3.5 within 1e-14
//! near a.r.i(0.5) = 2 within 1e-14
//! near a.r.i(3.5) = 1 within 1e-14
//! near a.c.p.v(3.5) = 2 within 1e-14
//! near a.s.n.i(3.5) = 1 within 1e-14
//! near a.s.n.i(5.5) = 0.25 within 1e-14
model Circuit
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  partial model Two
    Pin p, n;
    Real v, i;
  equation
    v = p.v - n.v;
    0 = p.i + n.i;
    i = p.i;
  end Two;
  model Resistor
    extends Two;
    parameter Real R = 2;
  equation
    R*i = v;
  end Resistor;
  model Capacitor
    extends Two(v(start = 0, fixed = true));
    parameter Real C = 1;
  equation
    C*der(v) = i;
  end Capacitor;
  model Source
    Pin p, n;
    input Real u;
  equation
    p.v - n.v = u;
    0 = p.i + n.i;
  end Source;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  block A
    input Real u;
    output Real y;
    Resistor r;
    Capacitor c;
    Ground g;
    Source s(u = u);
  equation
    connect(s.p, r.p);
    connect(r.n, c.p);
    connect(c.n, s.n);
    connect(s.n, g.p);
    y = c.v;
  end A;
  block B
  end B;
  A a(u = 4);
  B b;
  Integer n(start = -1);
equation
  when Clock(Clock(1, 1), "ExplicitEuler") then
    n = previous(n) + 1;
  end when;
  initialState(a);
  transition(a, b, mod(n, 4) == 2);
  transition(b, a, mod(n, 4) == 0, reset = false);
end Circuit;
