model M
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Resistor
    Pin p, n;
  equation
    p.i + n.i = 0;
  end Resistor;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  Resistor r;
  Ground g;
equation
  connect(r.p, g.p);
  connect(r.n, g.p);
end M;
//! command check {file}
//! error F170 1:7
//! message 'M.Resistor' has 3 equations for 4 unknowns
