// SPDX-License-Identifier: Apache-2.0
// A source charges a capacitor; diodes lead on to a resistor with a parasitic capacitor, which may be infinitely
// small: ThetaCircuit2Dynamic. Look at R1.v, and at the steps that Circuit1Dynamic and ThetaCircuit2Dynamic need.
package Circuits "A current source, a capacitor and diodes in series with a large resistor"
  connector Pin
    Real v "Potential";
    flow Real i "Current into the component";
  end Pin;

  partial model OnePort
    Pin p, n;
    Real v "Voltage from p to n";
    Real i "Current from p to n";
  equation
    v = p.v - n.v;
    p.i + n.i = 0;
    i = p.i;
  end OnePort;

  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model Resistor
    extends OnePort;
    parameter Real R "Resistance";
  equation
    v = R*i;
  end Resistor;

  model Capacitor
    extends OnePort(v(start = 0));
    parameter Real C "Capacitance";
  equation
    i = C*der(v);
  end Capacitor;

  model Source "Constant current from n to p"
    extends OnePort;
    parameter Real I "Current";
  equation
    i = -I;
  end Source;

  function exlin "Exponential function that goes on as a straight line"
    input Real x, most;
    output Real y;
  algorithm
    y := if x > most then exp(most)*(1 + x - most) else exp(x);
  end exlin;

  model Diode
    extends OnePort(v(start = 0));
    parameter Real Ids = 1e-9 "Saturation current";
    parameter Real Vt = 0.04 "Thermal voltage";
    parameter Real most = 45 "Largest exponent";
    parameter Real R = 1e8 "Parallel resistance";
  equation
    i = smooth(1, Ids*(exlin(v/Vt, most) - 1) + v/R);
  end Diode;

  model Circuit1Static "Node A with the source and C1; diodes to node D with R1"
    Source source(I = 1);
    Capacitor C1(C = 1e-4, v(start = 0, fixed = true));
    Diode D1, D2, D3, diode;
    Resistor R1(R = 1000);
    Ground ground;
  equation
    connect(source.n, ground.p);
    connect(source.p, C1.p);
    connect(C1.n, ground.p);
    connect(D1.p, C1.p);
    connect(D2.n, C1.p);
    connect(D2.p, D1.n);
    connect(D3.p, D1.n);
    connect(diode.p, D3.n);
    connect(diode.n, R1.p);
    connect(R1.n, ground.p);
  end Circuit1Static;

  model Circuit1Dynamic "With a parasitic capacitor at node D"
    extends Circuit1Static;
    Capacitor Cn1(C = 1e-12, v(start = 0, fixed = true));
  equation
    connect(Cn1.p, diode.n);
    connect(Cn1.n, ground.p);
  end Circuit1Dynamic;

  model ThetaCapacitor "A capacitor that is infinitely small"
    extends OnePort(v(start = 0));
    parameter Real C "Capacitance: its size decides nothing but the path to the equilibrium";
    parameter Real THETA = 1.0;
  equation
    i = C*THETA*der(v);
  end ThetaCapacitor;

  model ThetaCircuit1Dynamic "THETA inside of the component"
    extends Circuit1Static;
    ThetaCapacitor Cn1(C = 1e-12);
  equation
    connect(Cn1.p, diode.n);
    connect(Cn1.n, ground.p);
  end ThetaCircuit1Dynamic;

  model ThetaCircuit2Dynamic "THETA at the top, the capacitor is the usual one"
    extends Circuit1Static;
    Capacitor Cp(C = 1e-12*Rubato.THETA);
  equation
    connect(Cp.n, ground.p);
    connect(diode.n, Cp.p);
  end ThetaCircuit2Dynamic;
end Circuits;
