//! command check {file}
//! output 25 equations, 25 unknowns
// Everything balances by itself: flows in and out, inputs, arrays, inner connects, bindings of
// inputs from inside and outside, flows that nobody connects.
model M
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  connector In = input Real;
  connector Out = output Real;
  model Source
    Pin p;
    In u;
    In w = inside;
    input Real plain;
  protected
    Real inside;
  equation
    p.v = u + inside + plain;
  end Source;
  model R
    Pin p, n;
    parameter Real R = 1;
  equation
    p.v - n.v = R*p.i;
    p.i + n.i = 0;
  end R;
  model Two
    Pin p, n;
    R r[2];
  equation
    connect(p, r[1].p);
    connect(r[1].n, r[2].p);
    connect(r[2].n, n);
  end Two;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  Source s(u = 3, plain = 1);
  Out y = 2;
  Two two;
  R open;
  Ground g;
equation
  connect(y, s.w);
  connect(s.p, two.p);
  connect(two.n, g.p);
  connect(s.p, open.p);
end M;
