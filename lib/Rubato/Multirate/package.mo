// SPDX-License-Identifier: Apache-2.0
within Rubato;
package Multirate "Couplings between partitions with different clocks and solver methods"
  // A model is cut into partitions, each with a clock of its own that names a solver method. A
  // coupling stands where the cut is. Its fast side ticks `factor` times as often as its slow side;
  // with factor = 0 the number follows from the clocks.
  //
  // From slow to fast a quantity is extrapolated by the polynomial of degree nP through its last
  // ticks: 0 holds it, 1 continues it on a line. From fast to slow the value of the fast tick before
  // is taken, or with useDirectFeedthrough the present one, which is allowed only where it closes no
  // loop.
  //
  // Rotational flanges have the potential phi and the flow tau, translational ones s and f, so that
  // they can be connected to those of other libraries.

  package Interfaces "Connectors"
    connector Rotational
      Real phi(unit = "rad") "Angle";
      flow Real tau(unit = "N.m") "Torque into the component";
    end Rotational;

    connector Translational
      Real s(unit = "m") "Position";
      flow Real f(unit = "N") "Force into the component";
    end Translational;

    connector Electrical
      Real v(unit = "V") "Potential";
      flow Real i(unit = "A") "Current into the component";
    end Electrical;

    connector Heat
      Real T(unit = "K") "Temperature";
      flow Real Q_flow(unit = "W") "Heat flow into the component";
    end Heat;

    connector ClockInput = input Clock "A clock";
  end Interfaces;

  package Internal "What couplings are made of"
    function weights "Of the last ticks, in a polynomial that is continued by theta intervals"
      input Integer nP "Degree";
      input Real theta "Time since the last tick, in intervals";
      output Real w[nP + 1] "By tick, from the last one back";
    protected
      Real c "Coefficient of the backward difference of order m";
      Real b "m over k, with the sign of tick k in the difference";
    algorithm
      w := zeros(nP + 1);
      c := 1;
      for m in 0:nP loop
        if m > 0 then
          c := c*(theta + m - 1)/m;
        end if;
        b := 1;
        for k in 0:m loop
          w[k + 1] := w[k + 1] + c*b;
          b := -b*(m - k)/(k + 1);
        end for;
      end for;
    end weights;

    block ToFast "A slow signal, continued at fast ticks"
      parameter Integer nP(min = 0) = 0 "Degree of the polynomial";
      parameter Integer factor(min = 0) = 0 "Fast ticks in a slow one, 0: inferred";
      parameter Boolean atStart = true "At the first tick it is taken, not 0";
      input Real u "Slow signal";
      output Real y "Fast signal";
    protected
      Real past[nP + 1] "Last slow values";
      Real held[nP + 1] "The same at fast ticks";
      Real length "Of a slow interval, at fast ticks";
      Integer ratio "Fast ticks in a slow interval";
      Integer tick(start = 0) "Fast ticks since the last slow one";
      Real now "The signal: an input of the fast partition, not a part of it";
    equation
      past[1] = u;
      for k in 1:nP loop
        past[k + 1] = if firstTick() then u else previous(past[k]);
      end for;
      held = superSample(past, factor);
      length = superSample(interval(u), factor);
      ratio = integer(length/interval() + 0.5);
      tick = if firstTick() or previous(tick) + 1 >= ratio then 0 else previous(tick) + 1;
      if atStart then
        now = weights(nP, tick/ratio)*held;
      else
        now = if firstTick() then 0 else weights(nP, tick/ratio)*held;
      end if;
      y = superSample(now, 1);
    end ToFast;

    block ToSlow "A fast signal at slow ticks"
      parameter Boolean useDirectFeedthrough = false "The present value, not that of the tick before";
      parameter Integer factor(min = 0) = 0 "Fast ticks in a slow one, 0: inferred";
      parameter Boolean atStart = true "At the first tick it is taken, not 0";
      input Real u "Fast signal";
      output Real y "Slow signal";
    protected
      Real given "What the slow side gets";
    equation
      if useDirectFeedthrough then
        given = u;
      elseif atStart then
        given = if firstTick() then u else previous(u);
      else
        given = if firstTick() then 0 else previous(u);
      end if;
      y = subSample(given, factor);
    end ToSlow;

    function position "A position that is given with its derivatives"
      input Real q;
      input Real v;
      input Real a;
      input Real t;
      output Real y;
    algorithm
      y := q;
      annotation(derivative(noDerivative = q, noDerivative = v, noDerivative = a) = velocity);
    end position;

    function velocity "Its derivative"
      input Real q;
      input Real v;
      input Real a;
      input Real t;
      input Real der_t;
      output Real y;
    algorithm
      y := v*der_t;
      annotation(derivative(order = 2, noDerivative = q, noDerivative = v, noDerivative = a) = acceleration);
    end velocity;

    function acceleration "Its second derivative"
      input Real q;
      input Real v;
      input Real a;
      input Real t;
      input Real der_t;
      input Real der2_t;
      output Real y;
    algorithm
      y := a*der_t^2 + v*der2_t;
    end acceleration;

    block MotionToFast "Position, speed and acceleration of the slow side at fast ticks"
      parameter Integer nP(min = 0) = 0;
      parameter Integer factor(min = 0) = 0;
      input Real u "Slow position";
      output Real y "Fast position";
      Real speed = der(u) "Of the slow side";
      ToFast q(nP = nP, factor = factor, u = u), v(nP = nP, factor = factor, u = speed);
      ToFast a(nP = nP, factor = factor, u = der(speed), atStart = false)
        "No force depends on it at the start";
    equation
      y = position(q.y, v.y, a.y, time);
    end MotionToFast;

    block MotionToSlow "Position, speed and acceleration of the fast side at slow ticks"
      parameter Boolean useDirectFeedthrough = false;
      parameter Integer factor(min = 0) = 0;
      input Real u "Fast position";
      output Real y "Slow position";
      Real speed = der(u) "Of the fast side";
      ToSlow q(useDirectFeedthrough = useDirectFeedthrough, factor = factor, u = u);
      ToSlow v(useDirectFeedthrough = useDirectFeedthrough, factor = factor, u = speed);
      ToSlow a(useDirectFeedthrough = useDirectFeedthrough, factor = factor, u = der(speed),
        atStart = false) "No force depends on it at the start";
    equation
      y = position(q.y, v.y, a.y, time);
    end MotionToSlow;
  end Internal;

  partial block Coupling "What all couplings have"
    parameter Integer factor(min = 0) = 0 "Fast ticks in a slow one, 0: inferred";
    parameter Integer nP(min = 0) = 0 "Degree of the polynomial from slow to fast";
    parameter Boolean useDirectFeedthrough = false "The slow side gets the present values of the fast one";
  end Coupling;

  model RotationalForceDisp "The fast side has the force element, the slow side the inertia"
    extends Coupling;
    Interfaces.Rotational fast "To the force element";
    Interfaces.Rotational slow "To the inertia";
  protected
    Internal.MotionToFast motion(u = slow.phi, nP = nP, factor = factor);
    Internal.ToSlow torque(u = fast.tau, useDirectFeedthrough = useDirectFeedthrough, factor = factor);
  equation
    fast.phi = motion.y;
    slow.tau = -torque.y;
  end RotationalForceDisp;

  model RotationalDispForce "The fast side has the inertia, the slow side the force element"
    extends Coupling;
    Interfaces.Rotational fast "To the inertia";
    Interfaces.Rotational slow "To the force element";
  protected
    Internal.MotionToSlow motion(u = fast.phi, useDirectFeedthrough = useDirectFeedthrough, factor = factor);
    Internal.ToFast torque(u = slow.tau, nP = nP, factor = factor);
  equation
    slow.phi = motion.y;
    fast.tau = -torque.y;
  end RotationalDispForce;

  model RotationalDispDisp "Both sides have an inertia, and a copy of the force element between them"
    extends Coupling;
    Interfaces.Rotational fast "To the fast inertia";
    Interfaces.Rotational slow "To the slow inertia";
    Interfaces.Rotational slowInFast "The slow inertia as the fast side sees it: to one force element";
    Interfaces.Rotational fastInSlow "The fast inertia as the slow side sees it: to the other";
  protected
    Internal.MotionToFast toFast(u = slow.phi, nP = nP, factor = factor);
    Internal.MotionToSlow toSlow(u = fast.phi, useDirectFeedthrough = useDirectFeedthrough, factor = factor);
  equation
    slowInFast.phi = toFast.y;
    fastInSlow.phi = toSlow.y;
    fast.tau = 0;
    slow.tau = 0;
  end RotationalDispDisp;

  model TranslationalForceDisp "The fast side has the force element, the slow side the mass"
    extends Coupling;
    Interfaces.Translational fast "To the force element";
    Interfaces.Translational slow "To the mass";
  protected
    Internal.MotionToFast motion(u = slow.s, nP = nP, factor = factor);
    Internal.ToSlow force(u = fast.f, useDirectFeedthrough = useDirectFeedthrough, factor = factor);
  equation
    fast.s = motion.y;
    slow.f = -force.y;
  end TranslationalForceDisp;

  model TranslationalDispForce "The fast side has the mass, the slow side the force element"
    extends Coupling;
    Interfaces.Translational fast "To the mass";
    Interfaces.Translational slow "To the force element";
  protected
    Internal.MotionToSlow motion(u = fast.s, useDirectFeedthrough = useDirectFeedthrough, factor = factor);
    Internal.ToFast force(u = slow.f, nP = nP, factor = factor);
  equation
    slow.s = motion.y;
    fast.f = -force.y;
  end TranslationalDispForce;

  model TranslationalDispDisp "Both sides have a mass, and a copy of the force element between them"
    extends Coupling;
    Interfaces.Translational fast "To the fast mass";
    Interfaces.Translational slow "To the slow mass";
    Interfaces.Translational slowInFast "The slow mass as the fast side sees it";
    Interfaces.Translational fastInSlow "The fast mass as the slow side sees it";
  protected
    Internal.MotionToFast toFast(u = slow.s, nP = nP, factor = factor);
    Internal.MotionToSlow toSlow(u = fast.s, useDirectFeedthrough = useDirectFeedthrough, factor = factor);
  equation
    slowInFast.s = toFast.y;
    fastInSlow.s = toSlow.y;
    fast.f = 0;
    slow.f = 0;
  end TranslationalDispDisp;

  model ElectricalVoltageCurrent "The slow side gives the voltage, the fast side the current"
    extends Coupling;
    Interfaces.Electrical fast, slow;
  protected
    Internal.ToFast voltage(u = slow.v, nP = nP, factor = factor);
    Internal.ToSlow current(u = fast.i, useDirectFeedthrough = useDirectFeedthrough, factor = factor);
  equation
    fast.v = voltage.y;
    slow.i = -current.y;
  end ElectricalVoltageCurrent;

  model HeatTemperatureFlow "The slow side gives the temperature, the fast side the heat flow"
    extends Coupling;
    Interfaces.Heat fast, slow;
  protected
    Internal.ToFast temperature(u = slow.T, nP = nP, factor = factor);
    Internal.ToSlow flow_(u = fast.Q_flow, useDirectFeedthrough = useDirectFeedthrough, factor = factor);
  equation
    fast.T = temperature.y;
    slow.Q_flow = -flow_.y;
  end HeatTemperatureFlow;

  block SignalToFast "A slow signal for a fast partition"
    extends Coupling;
    input Real u;
    output Real y;
  protected
    Internal.ToFast signal(u = u, nP = nP, factor = factor);
  equation
    y = signal.y;
  end SignalToFast;

  block SignalToSlow "A fast signal for a slow partition"
    extends Coupling;
    input Real u;
    output Real y;
  protected
    Internal.ToSlow signal(u = u, useDirectFeedthrough = useDirectFeedthrough, factor = factor);
  equation
    y = signal.y;
  end SignalToSlow;

  model RotationalClock "Gives a clock to the partition of a flange"
    Interfaces.ClockInput c;
    Interfaces.Rotational flange;
  protected
    Real phi "Angle of the flange";
  equation
    when c then
      phi = flange.phi;
    end when;
    flange.tau = 0;
  end RotationalClock;

  model TranslationalClock "Gives a clock to the partition of a flange"
    Interfaces.ClockInput c;
    Interfaces.Translational flange;
  protected
    Real s "Position of the flange";
  equation
    when c then
      s = flange.s;
    end when;
    flange.f = 0;
  end TranslationalClock;
end Multirate;
