// A low-pass filter of fifth order as a ladder of coils and capacitors, driven by a step.
// Look at c[3].v, the output: it rings once around its final value, half the step, because source
// and load have the same resistance. One array of each part stands for the whole ladder.
package CauerFilter "A ladder from arrays of components"
  connector Pin
    Real v(unit="V");
    flow Real i(unit="A");
  end Pin;

  partial model TwoPin
    Pin p, n;
    Real v(unit="V"), i(unit="A");
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end TwoPin;

  model Resistor
    extends TwoPin;
    parameter Real R(unit="Ohm") = 1;
  equation
    v = R*i;
  end Resistor;

  model Inductor
    extends TwoPin;
    parameter Real L(unit="H") = 1;
  equation
    v = L*der(i);
  end Inductor;

  model Capacitor
    extends TwoPin;
    parameter Real C(unit="F") = 1;
  equation
    i = C*der(v);
  end Capacitor;

  model Step
    extends TwoPin;
  equation
    v = if time < 1 then 0 else 1;
  end Step;

  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model Ladder "Butterworth filter, 1 rad/s"
    Step step;
    Resistor source(R=1), load(R=1);
    Capacitor c[3](C={0.618, 2, 0.618}, each v(start=0, fixed=true));
    Inductor l[2](L={1.618, 1.618}, each i(start=0, fixed=true));
    Ground ground;
  equation
    connect(step.p, source.p);
    connect(source.n, c[1].p);
    for k in 1:2 loop
      connect(c[k].p, l[k].p);
      connect(l[k].n, c[k + 1].p);
    end for;
    connect(c[3].p, load.p);
    connect(load.n, ground.p);
    connect(step.n, ground.p);
    for k in 1:3 loop
      connect(c[k].n, ground.p);
    end for;
    annotation (experiment(StopTime=30, Tolerance=1e-7));
  end Ladder;
end CauerFilter;
