// A capacitor beside a current source and a resistor begins at its start value, not at rest; the
// start value of an algebraic variable is a guess only.
//! command simulate {file} --model Circuit --stop 1 --intervals 2 --output -
//! warning D122
//! message the start value of c.v is taken as an initial condition
//! near c.v(0) = 3 within 1e-12
//! near r.i(0) = 1.5 within 1e-12
//! near c.v(1) = 3.393469 within 1e-5
model Circuit
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  partial model Two
    Pin p, n;
    Real v(start = 0), i(start = 7);
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end Two;
  model Capacitor
    extends Two(v(start = 3));
  equation
    i = der(v);
  end Capacitor;
  model Resistor
    extends Two;
  equation
    v = 2*i;
  end Resistor;
  model Source
    extends Two;
  equation
    i = -2;
  end Source;
  Capacitor c;
  Resistor r;
  Source s;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  Ground ground;
equation
  connect(c.p, r.p);
  connect(r.p, s.p);
  connect(c.n, r.n);
  connect(r.n, s.n);
  connect(s.n, ground.p);
end Circuit;
