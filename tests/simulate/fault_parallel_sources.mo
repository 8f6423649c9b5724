// Two ideal voltage sources in parallel.
//! command simulate {file} --output -
//! error D103 58:17
//! exit 1
//! message the model is singular: 2 equations for 1 unknown, while 2 unknowns have only 1 equation
//! message likely cause: 'a', 'b' prescribe the same potential twice
//! message two ideal sources in parallel
//! message determined too often: a.p.v
//! message not determined: a.p.i, b.p.i
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
    StepVoltage a(V=5), b(V=4);
    Resistor r(R=100);
    Ground ground;
  equation
    connect(a.p, r.p);
    connect(b.p, r.p);
    connect(a.n, ground.p);
    connect(b.n, ground.p);
    connect(r.n, ground.p);
  end M;
end Circuit;
