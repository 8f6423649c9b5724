// The couplings of circuits, heat paths and translational flanges. Two capacitors over a resistor, which is fast, held (v1, v2); the same
// with temperatures, continued on a line (t1, t2): explicit Euler with 10 ms and 50 ms, values by an independent program. Two masses have the
// values of the two inertias of multirate_force_disp.mo, multirate_disp_force.mo and multirate_disp_disp.mo.
//! command simulate {file} --stop 1.0005 --interval 0.5 --output -
//! near v1(1.0005) = 0.3828008765435592 within 1e-13
//! near v2(1.0005) = 0.34416070354231176 within 1e-13
//! near t1(1.0005) = 0.38142510114618605 within 1e-13
//! near t2(1.0005) = 0.33798736077878216 within 1e-13
//! near force.m1.s(1.0005) = -0.039214299665482 within 1e-12
//! near force.m2.v(1.0005) = 7.1833240962224 within 1e-11
//! near motion.m1.s(1.0005) = -0.0372255558846504 within 1e-12
//! near motion.m2.v(1.0005) = 6.83535406302947 within 1e-11
//! near both.m1.v(1.0005) = 0.600761462145454 within 1e-11
//! near both.m2.s(1.0005) = -0.405514758729761 within 1e-12
package Other
  import Rubato.Multirate.*;
  model Mass
    parameter Real m;
    Interfaces.Translational flange;
    Real s(start = 0, fixed = true, stateSelect = StateSelect.always);
    Real v(start = 0, fixed = true, stateSelect = StateSelect.always);
  equation
    flange.s = s;
    der(s) = v;
    m*der(v) = flange.f;
  end Mass;
  model Spring
    parameter Real c, d;
    Interfaces.Translational a, b;
    Real s = b.s - a.s;
  equation
    b.f = c*s + d*der(s);
    a.f = -b.f;
  end Spring;
  model Ground
    Interfaces.Translational flange;
  equation
    flange.s = 0;
  end Ground;
  partial model Masses
    Clock base = Clock(1, 1000);
    Mass m1(m = 0.01, s(start = 0.1)), m2(m = 1, s(start = 1));
    Spring wall1(c = 100, d = 0.05), wall2(c = 100, d = 0.5);
    Ground left, right;
    TranslationalClock fast(c = Clock(base, "ImplicitEuler")), slow(c = Clock(subSample(base, 10), "ExplicitMidPoint2"));
  equation
    connect(left.flange, wall1.a);
    connect(wall1.b, m1.flange);
    connect(m2.flange, wall2.a);
    connect(wall2.b, right.flange);
    connect(fast.flange, m1.flange);
    connect(slow.flange, m2.flange);
  end Masses;
  model Force
    extends Masses;
    Spring middle(c = 10, d = 0.05);
    TranslationalForceDisp coupling;
  equation
    connect(m1.flange, middle.a);
    connect(middle.b, coupling.fast);
    connect(coupling.slow, m2.flange);
  end Force;
  model Motion
    extends Masses;
    Spring middle(c = 10, d = 0.05);
    TranslationalDispForce coupling;
  equation
    connect(m1.flange, coupling.fast);
    connect(coupling.slow, middle.a);
    connect(middle.b, m2.flange);
  end Motion;
  model Both
    extends Masses;
    Spring inFast(c = 10, d = 0.05), inSlow(c = 10, d = 0.05);
    TranslationalDispDisp coupling;
  equation
    connect(m1.flange, coupling.fast);
    connect(m1.flange, inFast.a);
    connect(inFast.b, coupling.slowInFast);
    connect(m2.flange, coupling.slow);
    connect(coupling.fastInSlow, inSlow.a);
    connect(inSlow.b, m2.flange);
  end Both;
  model Ports "The fast and the slow ends of a circuit and a heat path"
    Interfaces.Electrical fast, slow;
    Interfaces.Heat hot, cold;
  end Ports;
  model All
    Real v1(start = 1, fixed = true), v2(start = 0, fixed = true), t1(start = 1, fixed = true), t2(start = 0, fixed = true);
    parameter Real g(unit = "S") = 1, k(unit = "W/K") = 1;
    Ports p;
    ElectricalVoltageCurrent circuit(factor = 5);
    HeatTemperatureFlow path(nP = 1);
    Force force;
    Motion motion;
    Both both;
    Clock c = Clock(1, 100);
  equation
    connect(p.fast, circuit.fast);
    connect(p.slow, circuit.slow);
    connect(p.hot, path.fast);
    connect(p.cold, path.slow);
    when Clock(c, "ExplicitEuler") then
      0.5*der(v1) = p.fast.i;
      -p.fast.i = g*(v1 - p.fast.v);
      0.5*der(t1) = p.hot.Q_flow;
      -p.hot.Q_flow = k*(t1 - p.hot.T);
    end when;
    when Clock(subSample(c, 5), "ExplicitEuler") then
      p.slow.v = v2;
      der(v2) = p.slow.i;
      p.cold.T = t2;
      der(t2) = p.cold.Q_flow;
    end when;
  end All;
end Other;
