// SPDX-License-Identifier: Apache-2.0
within Rubato;
package Streams "Directed flow of a fluid, with the inertia of its mass flow"
  // A stream begins at a Source and ends at a Sink. It branches in a Splitter and unites in a Junction;
  // a circle must contain a Volume.
  //
  // A connector is a triplet: the state of the fluid is a signal that travels with the stream, the
  // inertial pressure is a potential, the mass flow is a flow. The pressure in the state is the one
  // that holds for a steady mass flow; the inertial pressure is what is missing to the real one. It
  // changes mass flows, and vanishes with their changes.

  partial package Medium "What components ask of a fluid; one value of the heat capacity holds"
    constant Real cp = 1000 "J/(kg.K)";
    replaceable partial function density
      input Real p;
      input Real h;
      output Real d;
    end density;
    replaceable partial function temperature
      input Real p;
      input Real h;
      output Real T;
    end temperature;
    replaceable partial function enthalpy
      input Real p;
      input Real T;
      output Real h;
    end enthalpy;
  end Medium;

  package Water "A liquid of constant density and heat capacity"
    extends Medium(cp = 4184);
    constant Real rho = 997 "kg/m3";
    constant Real T0 = 273.15 "K";
    redeclare function extends density
    algorithm
      d := rho;
      annotation(Inline = true);
    end density;
    redeclare function extends temperature
    algorithm
      T := T0 + h/cp;
      annotation(Inline = true);
    end temperature;
    redeclare function extends enthalpy
    algorithm
      h := cp*(T - T0);
      annotation(Inline = true);
    end enthalpy;
  end Water;

  package Air "An ideal gas of constant heat capacity"
    extends Medium(cp = 1005);
    constant Real R = 287 "J/(kg.K)";
    redeclare function extends density
    algorithm
      d := p*cp/(R*h);
      annotation(Inline = true);
    end density;
    redeclare function extends temperature
    algorithm
      T := h/cp;
      annotation(Inline = true);
    end temperature;
    redeclare function extends enthalpy
    algorithm
      h := cp*T;
      annotation(Inline = true);
    end enthalpy;
  end Air;

  connector Inlet "The stream comes in"
    input Real p(unit = "Pa", nominal = 1e5) "Pressure of a steady mass flow";
    input Real h(unit = "J/kg", nominal = 1e5) "Specific enthalpy";
    Real r(unit = "Pa") "Inertial pressure";
    flow Real m_flow(unit = "kg/s") "Mass flow into the component";
  end Inlet;

  connector Outlet "The stream goes out"
    output Real p(unit = "Pa", nominal = 1e5) "Pressure of a steady mass flow";
    output Real h(unit = "J/kg", nominal = 1e5) "Specific enthalpy";
    Real r(unit = "Pa") "Inertial pressure";
    flow Real m_flow(unit = "kg/s") "Mass flow into the component";
  end Outlet;

  connector HeatPort "Heat comes in"
    Real T(unit = "K") "Temperature";
    flow Real Q_flow(unit = "W") "Heat flow into the component";
  end HeatPort;

  model Source "A stream of given pressure and temperature begins"
    replaceable package Medium = Water constrainedby Streams.Medium;
    parameter Real p0(unit = "Pa") = 1.2e5 "Pressure";
    parameter Real T0(unit = "K") = 293.15 "Temperature";
    parameter Real L(unit = "1/m") = 0.01 "Inertance";
    Outlet outlet;
  equation
    outlet.p = p0;
    outlet.h = Medium.enthalpy(p0, T0);
    L*der(outlet.m_flow) = outlet.r;
  end Source;

  model Sink "A stream ends at a given pressure"
    parameter Real p0(unit = "Pa") = 1e5 "Pressure";
    parameter Real L(unit = "1/m") = 0.01 "Inertance";
    Inlet inlet;
    Real r(unit = "Pa") "Inertial pressure at the end";
  equation
    L*der(inlet.m_flow) = inlet.r - r;
    r + inlet.p = p0;
  end Sink;

  partial model Pipe "One stream in, the same out"
    parameter Real L(unit = "1/m") = 0.01 "Inertance";
    Inlet inlet;
    Outlet outlet;
    Real m_flow(unit = "kg/s", start = 0, fixed = true, stateSelect = StateSelect.prefer) "Mass flow";
    Real dp(unit = "Pa") "Gain of pressure";
  equation
    m_flow = inlet.m_flow;
    inlet.m_flow + outlet.m_flow = 0;
    outlet.r = inlet.r - L*der(m_flow);
    outlet.p = inlet.p + dp;
  end Pipe;

  model Resistance "Pressure is lost by friction"
    extends Pipe;
    parameter Real k(unit = "1/(m.s)") = 0 "Loss in proportion to the mass flow";
    parameter Real k2(unit = "1/(kg.m)") = 2e4 "Loss in proportion to its square";
  equation
    dp = -k*m_flow - k2*m_flow*noEvent(abs(m_flow));
    outlet.h = inlet.h;
  end Resistance;

  model Pump "Pressure is gained, and heat by what is lost"
    extends Pipe;
    parameter Real dp0(unit = "Pa") = 1e5 "Without mass flow";
    parameter Real k(unit = "1/(m.s)") = 1e4 "Loss of it in proportion to the mass flow";
    parameter Real heat(unit = "J/kg") = 0 "Gain of enthalpy";
  equation
    dp = dp0 - k*m_flow;
    outlet.h = inlet.h + heat;
  end Pump;

  model Conduction "A cell that takes up heat, such as one of a heat exchanger"
    extends Pipe(m_flow(fixed = false));
    replaceable package Medium = Water constrainedby Streams.Medium;
    parameter Real V(unit = "m3") = 1e-3 "Volume";
    parameter Real UA(unit = "W/K") = 10 "Heat flow by difference of temperature";
    parameter Real T0(unit = "K") = 293.15 "Temperature at the start";
    HeatPort port;
    Real h(unit = "J/kg", start = Medium.enthalpy(1e5, T0), fixed = true) "Enthalpy";
    Real T(unit = "K") "Temperature";
  equation
    dp = 0;
    T = Medium.temperature(inlet.p, h);
    V*Medium.density(inlet.p, h)*der(h) = port.Q_flow +
      m_flow*((if noEvent(m_flow >= 0) then inlet.h else h) - h);
    port.Q_flow = UA*(port.T - T);
    outlet.h = h;
  end Conduction;

  model Splitter "One stream becomes two"
    parameter Real L(unit = "1/m") = 0.01 "Inertance of each way";
    Inlet inlet;
    Outlet a;
    Outlet b;
    Real r(unit = "Pa") "Inertial pressure inside";
  equation
    a.p = inlet.p;
    a.h = inlet.h;
    b.p = inlet.p;
    b.h = inlet.h;
    L*der(inlet.m_flow) = inlet.r - r;
    L*der(a.m_flow) = a.r - r;
    L*der(b.m_flow) = b.r - r;
    inlet.m_flow + a.m_flow + b.m_flow = 0;
  end Splitter;

  model Junction "Two streams become one"
    parameter Real L(unit = "1/m") = 0.01 "Inertance of each way";
    parameter Real eps(unit = "kg/s") = 1e-5 "Below this mass flow both count the same";
    Inlet a;
    Inlet b;
    Outlet outlet;
    Real wa "Share of a";
    Real wb "Share of b";
    Real ra(unit = "Pa") "Inertial pressure of a inside";
    Real rb(unit = "Pa") "Inertial pressure of b inside";
    Real r(unit = "Pa") "Inertial pressure of the mixture";
  equation
    wa = noEvent((abs(a.m_flow) + eps)/(abs(a.m_flow) + abs(b.m_flow) + 2*eps));
    wb = 1 - wa;
    outlet.p = wa*a.p + wb*b.p;
    outlet.h = wa*a.h + wb*b.h;
    L*der(a.m_flow) = a.r - ra;
    L*der(b.m_flow) = b.r - rb;
    L*der(outlet.m_flow) = outlet.r - r;
    a.p + ra = outlet.p + r;
    b.p + rb = outlet.p + r;
    a.m_flow + b.m_flow + outlet.m_flow = 0;
  end Junction;

  model Volume "Stores mass and energy of an ideal gas; opens circles"
    parameter Real V(unit = "m3") = 0.01 "Volume";
    parameter Real L(unit = "1/m") = 0.01 "Inertance of each way";
    parameter Real damping = 0.1 "Of waves between volumes";
    parameter Real p0(unit = "Pa") = 1e5 "Pressure at the start";
    parameter Real T0(unit = "K") = 293.15 "Temperature at the start";
    Inlet inlet;
    Outlet outlet;
    Real M(unit = "kg", start = p0*V/(Air.R*T0), fixed = true) "Mass";
    Real U(unit = "J", start = p0*V*(Air.cp - Air.R)/Air.R, fixed = true) "Inner energy";
    Real T(unit = "K") "Temperature";
    Real p(unit = "Pa") "Pressure";
    Real r(unit = "Pa") "Inertial pressure at the inlet";
    Real rd(unit = "Pa") "Pressure of the damping";
  equation
    U = M*(Air.cp - Air.R)*T;
    p*V = M*Air.R*T;
    der(M) = inlet.m_flow + outlet.m_flow;
    der(U) = inlet.m_flow*noEvent(if inlet.m_flow >= 0 then inlet.h else Air.cp*T) +
      outlet.m_flow*Air.cp*T;
    rd = damping*sqrt(2*L*Air.R*T/V)*(inlet.m_flow + outlet.m_flow);
    L*der(inlet.m_flow) = inlet.r - r - rd;
    r + inlet.p = p;
    L*der(outlet.m_flow) = outlet.r - rd;
    outlet.p = p;
    outlet.h = Air.cp*T;
  end Volume;

  model FixedTemperature "Gives the temperature of a heat port"
    parameter Real T(unit = "K") = 293.15 "Temperature";
    HeatPort port;
  equation
    port.T = T;
  end FixedTemperature;
end Streams;
