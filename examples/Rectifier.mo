// A bridge of four ideal diodes makes direct from alternating voltage; a capacitor smooths it.
// Look at c.v (the ripple), source.v, and d1.i: it flows in short pulses only. Each pulse begins and
// ends with an event at which four diodes are decided together.
package Rectifier "Ideal switches"
  connector Pin
    Real v(unit="V");
    flow Real i(unit="A");
  end Pin;

  partial model TwoPin
    Pin p, n;
    Real v(unit="V") "Voltage from p to n";
    Real i(unit="A") "Current from p to n";
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end TwoPin;

  model Diode "Either no voltage or no current, with small losses"
    extends TwoPin;
    parameter Real Ron(unit="Ohm") = 1e-3, Goff(unit="S") = 1e-5;
    Boolean off(start=true);
    Real s(start=0) "Voltage if off, current if on";
  equation
    off = s < 0;
    v = s*(if off then 1 else Ron);
    i = s*(if off then Goff else 1);
  end Diode;

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

  model Source
    extends TwoPin;
    parameter Real V(unit="V") = 10, f(unit="Hz") = 50;
    constant Real pi = 3.14159265358979;
  equation
    v = V*sin(2*pi*f*time);
  end Source;

  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model Bridge
    Source source;
    Resistor line(R=0.1), load(R=50);
    Diode d1, d2, d3, d4;
    Capacitor c(C=1e-3, v(start=0, fixed=true));
    Ground ground;
  equation
    connect(source.p, line.p);
    connect(line.n, d1.p);
    connect(line.n, d2.n);
    connect(source.n, d3.p);
    connect(source.n, d4.n);
    connect(d1.n, c.p);
    connect(d3.n, c.p);
    connect(d2.p, c.n);
    connect(d4.p, c.n);
    connect(c.p, load.p);
    connect(c.n, load.n);
    connect(c.n, ground.p);
    annotation (experiment(StopTime=0.1, Tolerance=1e-6));
  end Bridge;
end Rectifier;
