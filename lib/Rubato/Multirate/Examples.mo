// SPDX-License-Identifier: Apache-2.0
within Rubato.Multirate;
package Examples "Two inertias between walls, cut in the middle"
  model Inertia
    parameter Real J(unit = "kg.m2") = 1;
    Interfaces.Rotational flange;
    Real phi(unit = "rad", start = 0, fixed = true, stateSelect = StateSelect.always);
    Real w(unit = "rad/s", start = 0, fixed = true, stateSelect = StateSelect.always);
  equation
    flange.phi = phi;
    der(phi) = w;
    J*der(w) = flange.tau;
  end Inertia;

  model SpringDamper
    parameter Real c(unit = "N.m/rad") = 0;
    parameter Real d(unit = "N.m.s/rad") = 0;
    Interfaces.Rotational a, b;
    Real phi(unit = "rad"), tau(unit = "N.m");
  equation
    phi = b.phi - a.phi;
    tau = c*phi + d*der(phi);
    b.tau = tau;
    a.tau = -tau;
  end SpringDamper;

  model Wall
    Interfaces.Rotational flange;
  equation
    flange.phi = 0;
  end Wall;

  partial model Oscillator "The fast inertia is the first one"
    parameter Integer nP = 0 "Degree of extrapolation";
    parameter String fastMethod = "ImplicitEuler";
    parameter String slowMethod = "ExplicitMidPoint2";
    parameter Real cc = 10 "Stiffness between the inertias";
    parameter Real dc = 0.05 "Damping between the inertias";
    parameter Integer resolution = 1000 "Fast ticks a second";
    parameter Integer factor = 10 "Fast ticks in a slow one";
    Clock base = Clock(1, resolution);
    Inertia J1(J = 0.01, phi(start = 0.1)), J2(J = 1, phi(start = 1));
    SpringDamper wall1(c = 100, d = 0.05), wall2(c = 100, d = 0.5);
    Wall left, right;
    RotationalClock fast(c = Clock(base, fastMethod));
    RotationalClock slow(c = Clock(subSample(base, factor), slowMethod));
  equation
    connect(left.flange, wall1.a);
    connect(wall1.b, J1.flange);
    connect(J2.flange, wall2.a);
    connect(wall2.b, right.flange);
    connect(fast.flange, J1.flange);
    connect(slow.flange, J2.flange);
  end Oscillator;

  model ForceDisp "The spring between them is fast"
    extends Oscillator;
    SpringDamper middle(c = cc, d = dc);
    RotationalForceDisp coupling(nP = nP, factor = factor);
  equation
    connect(J1.flange, middle.a);
    connect(middle.b, coupling.fast);
    connect(coupling.slow, J2.flange);
  end ForceDisp;

  model DispForce "The spring between them is slow"
    extends Oscillator;
    SpringDamper middle(c = cc, d = dc);
    RotationalDispForce coupling(nP = nP, factor = factor);
  equation
    connect(J1.flange, coupling.fast);
    connect(coupling.slow, middle.a);
    connect(middle.b, J2.flange);
  end DispForce;

  model DispDisp "The spring between them is on both sides"
    extends Oscillator;
    SpringDamper inFast(c = cc, d = dc), inSlow(c = cc, d = dc);
    RotationalDispDisp coupling(nP = nP, factor = factor);
  equation
    connect(J1.flange, coupling.fast);
    connect(J2.flange, coupling.slow);
    connect(J1.flange, inFast.a);
    connect(inFast.b, coupling.slowInFast);
    connect(coupling.fastInSlow, inSlow.a);
    connect(inSlow.b, J2.flange);
  end DispDisp;
end Examples;
