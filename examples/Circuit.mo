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

  model Filter "Two RC stages"
    StepVoltage source(V=5);
    Resistor r1(R=100), r2(R=1000);
    Capacitor c1(C=1e-3, v(start=0, fixed=true)), c2(C=1e-4, v(start=0, fixed=true));
    Ground ground;
  equation
    connect(source.p, r1.p);
    connect(r1.n, c1.p);
    connect(c1.p, r2.p);
    connect(r2.n, c2.p);
    connect(c1.n, ground.p);
    connect(c2.n, ground.p);
    connect(source.n, ground.p);
    annotation (experiment(StopTime=1));
  end Filter;
end Circuit;
