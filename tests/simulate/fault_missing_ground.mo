// A circuit without ground.
//! command simulate {file} --output -
//! error D103 57:17
//! exit 1
//! message the model is singular: 1 equation says nothing about any unknown, while 6 unknowns have only 5 equations
//! message likely cause: a reference is missing; only differences of the potentials of 'source', 'r', 'c' are determined: connect a ground
//! message not determined: source.p.v, source.p.i, source.n.v, r.n.v, r.v, c.v
//! message note: r.v = source.p.v - r.n.v
// Two low-pass filters in a row, built from a small library of electrical parts.
// Look at c1.v and c2.v: the second capacitor follows the first with a delay.
package Circuit "A circuit from components"
  connector Pin "Electrical pin"
    Real v(unit="V") "Potential";
    flow Real i(unit="A") "Current into the component";
  end Pin;

  partial model TwoPin "Component with two pins"
    Pin p;
    Pin n;
    Real v(unit="V") "Voltage drop from p to n";
    Real i(unit="A") "Current from p to n";
  equation
    v = p.v - n.v;
    p.i + n.i = 0;
    i = p.i;
  end TwoPin;

  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model Resistor
    extends TwoPin;
    parameter Real R(unit="Ohm") = 1;
  equation
    v = R*i;
  end Resistor;

  model Capacitor
    extends TwoPin;
    parameter Real C(unit="F") = 1;
  equation
    i = C*der(v);
  end Capacitor;

  model StepVoltage
    extends TwoPin;
    parameter Real V(unit="V") = 1;
    parameter Real startTime(unit="s") = 0.1;
  equation
    v = if time < startTime then 0 else V;
  end StepVoltage;

  model M
    StepVoltage source(V=5);
    Resistor r(R=100);
    Capacitor c(C=1e-3);
  equation
    connect(source.p, r.p);
    connect(r.n, c.p);
    connect(c.n, source.n);
  end M;
end Circuit;
