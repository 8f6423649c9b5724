//! command simulate {file} --output -
//! near r.p.i(1) = 1.5 within 1e-12
model ExpandableFlow "connectors with flows inside an expandable connector (9.1.3)"
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  expandable connector Bus
    Pin declared;
  end Bus;
  model Source
    Pin p;
  equation
    p.v = 3;
  end Source;
  model Resistor
    Pin p;
  equation
    p.v = 2*p.i;
  end Resistor;
  Bus bus;
  Source s, t;
  Resistor r, u;
equation
  connect(s.p, bus.pin);
  connect(bus.pin, r.p);
  connect(t.p, bus.declared);
  connect(bus.declared, u.p);
end ExpandableFlow;
