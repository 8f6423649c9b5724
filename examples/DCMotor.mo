// A DC motor turns a load through a shaft that twists. At 0.5 s a brake takes hold of the load.
// Look at motor.w and load.w: at the start the rotor swings against the load until the shaft has
// calmed down; motor.i shows the surge when it starts and the current that the brake costs. Try
// --set shaft.c=50 for a stiffer shaft.
package DCMotor "Electricity and mechanics in one model"
  connector Pin
    Real v(unit="V");
    flow Real i(unit="A");
  end Pin;

  connector Flange
    Real phi(unit="rad");
    flow Real tau(unit="N.m");
  end Flange;

  model Supply
    Pin p;
    parameter Real V(unit="V") = 24;
  equation
    p.v = V;
  end Supply;

  model Motor "Resistance, inductance and rotor"
    Pin p;
    Flange flange;
    parameter Real R(unit="Ohm") = 0.5;
    parameter Real L(unit="H") = 1e-3;
    parameter Real k(unit="N.m/A") = 0.1 "Torque by current";
    parameter Real J(unit="kg.m2") = 1e-4;
    Real i(unit="A", start=0, fixed=true) "Current";
    Real w(unit="rad/s", start=0, fixed=true) "Speed";
  equation
    p.i = i;
    L*der(i) = p.v - R*i - k*w;
    der(flange.phi) = w;
    J*der(w) = k*i + flange.tau;
  end Motor;

  model Shaft "Spring and damper"
    Flange a, b;
    parameter Real c(unit="N.m/rad") = 5;
    parameter Real d(unit="N.m.s/rad") = 0.002;
    Real twist(unit="rad");
  equation
    twist = a.phi - b.phi;
    a.tau = c*twist + d*der(twist);
    a.tau + b.tau = 0;
  end Shaft;

  model Load "Inertia with a brake"
    Flange flange;
    parameter Real J(unit="kg.m2") = 2e-3;
    parameter Real brake(unit="N.m") = 1;
    Real phi(unit="rad", start=0, fixed=true);
    Real w(unit="rad/s", start=0, fixed=true) "Speed";
  equation
    phi = flange.phi;
    der(phi) = w;
    J*der(w) = flange.tau - (if time < 0.5 then 0 else brake);
  end Load;

  model Drive
    Supply supply;
    Motor motor(flange(phi(start=0, fixed=true)));
    Shaft shaft;
    Load load;
  equation
    connect(supply.p, motor.p);
    connect(motor.flange, shaft.a);
    connect(shaft.b, load.flange);
    annotation (experiment(StopTime=1, Tolerance=1e-6));
  end Drive;
end DCMotor;
