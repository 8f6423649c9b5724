// SPDX-License-Identifier: Apache-2.0
// A robot with six axes: digital position control, motors with current controllers, elastic gears with
// bearing friction, a spatial arm with a load. Look at tip[1], tip[2], tip[3] (the load) and at
// drive[1].mode (-1, 0, 1: the rotor turns backwards, sticks, turns forwards).
//   Robot.Whole        drives and arm are continuous: for integrators with variable steps
//   Robot.Single       drives and arm are one clocked partition with one solver method
//   Robot.Partitioned  each drive is a partition with the implicit Euler method, the arm one with the
//                      explicit midpoint method; force/displacement couplings at the joints
package Robot "Six axes, whole and in partitions"
  import Rotational = Rubato.Multirate.Interfaces.Rotational;

  connector In = input Real;

  // ---- arm: joints and links, Newton-Euler from the base to the tip and back ----

  connector After "The end of a link; vectors are seen from the link, but for r"
    output Real r[3](each unit = "m") "Origin, seen from the world";
    output Real R[3, 3] "Turns vectors of the world into those of the link";
    output Real w[3](each unit = "rad/s") "Angular velocity";
    output Real z[3](each unit = "rad/s2") "Angular acceleration";
    output Real a[3](each unit = "m/s2") "Acceleration of the origin, minus that of gravity";
    input Real f[3](each unit = "N") "Force upon the next link";
    input Real t[3](each unit = "N.m") "Torque upon it";
  end After;

  connector Before "What the next link sees of it"
    input Real r[3](each unit = "m");
    input Real R[3, 3];
    input Real w[3](each unit = "rad/s");
    input Real z[3](each unit = "rad/s2");
    input Real a[3](each unit = "m/s2");
    output Real f[3](each unit = "N");
    output Real t[3](each unit = "N.m");
  end Before;

  model Ground "At rest"
    After frame;
  equation
    frame.r = zeros(3);
    frame.R = identity(3);
    frame.w = zeros(3);
    frame.z = zeros(3);
    frame.a = {0, 0, 9.81};
  end Ground;

  model Link "A joint, then a rigid body that turns with it"
    parameter Real n[3] "Axis of the joint; its length is 1";
    parameter Real b[3](each unit = "m") "From the joint to the end of the link";
    parameter Real c[3](each unit = "m") "From the joint to the centre of mass";
    parameter Real m(unit = "kg") "Mass";
    parameter Real I[3](each unit = "kg.m2") "Principal moments of inertia at the centre of mass";
    Before from;
    After to;
    Rotational flange "The drive acts between the two frames";
    Real q(unit = "rad", fixed = true, stateSelect = StateSelect.always) "Angle of the joint";
    Real w(unit = "rad/s", start = 0, fixed = true, stateSelect = StateSelect.always);
  protected
    Real R[3, 3] "Turns vectors of the frame before the joint into those of the link";
    Real centre[3] "Acceleration of the centre of mass, minus that of gravity";
    Real a[3] "The same of the joint";
    Real force[3] "Of the joint upon the link";
    Real torque[3];
  equation
    der(q) = w;
    flange.phi = q;
    R = cos(q)*identity(3) + (1 - cos(q))*{{n[1]*n[1], n[1]*n[2], n[1]*n[3]}, {n[2]*n[1], n[2]*n[2],
      n[2]*n[3]}, {n[3]*n[1], n[3]*n[2], n[3]*n[3]}} - sin(q)*{{0, -n[3], n[2]}, {n[3], 0, -n[1]},
      {-n[2], n[1], 0}};
    to.R = R*from.R;
    to.r = from.r + transpose(to.R)*b;
    to.w = R*from.w + n*w;
    to.z = R*from.z + n*der(w) + cross(to.w, n*w);
    a = R*from.a;
    to.a = a + cross(to.z, b) + cross(to.w, cross(to.w, b));
    centre = a + cross(to.z, c) + cross(to.w, cross(to.w, c));
    from.f = transpose(R)*force;
    from.t = transpose(R)*torque;
    force = to.f + m*centre;
    torque = to.t + cross(b, to.f) + I .* to.z + cross(to.w, I .* to.w) + m*cross(c, centre);
    n*torque = flange.tau;
  end Link;

  model Arm "Six links, the last one with a load"
    parameter Real q0[6](each unit = "rad") "Angles at the start";
    parameter Real load(unit = "kg") = 15;
    Rotational axis[6];
    Real tip[3](each unit = "m") "Where the load is";
    Ground ground;
    Link link[6](
      n = {{0, 0, 1}, {0, 1, 0}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}},
      b = {{0.35, 0, 0.4}, {0, 0, 0.6}, {0.25, 0, 0.05}, {0.45, 0, 0}, {0.1, 0, 0}, {0.15, 0, 0.05}},
      c = {{0.15, 0, 0.2}, {0.05, 0, 0.25}, {0.1, 0, 0.02}, {0.15, 0, 0}, {0.04, 0, 0}, {0.12, 0, 0.04}},
      m = {120, 60, 45, 25, 10, 2 + load},
      I = {{4, 4, 5}, {3, 3, 0.8}, {0.6, 1.2, 1.2}, {0.2, 0.7, 0.7}, {0.05, 0.08, 0.08}, {0.15, 0.2, 0.2}},
      q(start = q0));
  equation
    connect(ground.frame, link[1].from);
    for k in 1:5 loop
      connect(link[k].to, link[k + 1].from);
    end for;
    for k in 1:6 loop
      connect(axis[k], link[k].flange);
    end for;
    tip = link[6].to.r;
    link[6].to.f = zeros(3);
    link[6].to.t = zeros(3);
  end Arm;

  // ---- drives ----

  model Drive "Motor with current controller and power stage, bearing friction, elastic gear"
    parameter Real q0(unit = "rad") "Angle of the joint at the start";
    parameter Real hold(unit = "N.m") "Torque at the joint that keeps the arm at rest there";
    parameter Real ratio "Of the gear";
    parameter Real J(unit = "kg.m2") "Rotor";
    parameter Real c(unit = "N.m/rad") "Stiffness of the gear, at the rotor";
    parameter Real d(unit = "N.m.s/rad") = 2.4e-3*c "Damping of the gear";
    parameter Real k(unit = "N.m/A") = 0.8 "Torque by current";
    parameter Real Ra(unit = "Ohm") = 1.1 "Armature";
    parameter Real La(unit = "H") = 5e-3;
    parameter Real delay(unit = "s") = 25e-6 "Of the power stage: half a period of 20 kHz";
    parameter Real band(unit = "rad/s") = 3000 "Of the current controller";
    parameter Real slide(unit = "N.m") = 0.15 "Friction of the bearings as soon as they move ...";
    parameter Real stick(unit = "N.m") = 0.2 "... and what starts them";
    parameter Real viscous(unit = "N.m.s/rad") = 5e-4;
    parameter Real lock(unit = "s") = 2e-3 "Time in which a rotor that sticks comes to rest";
    In wanted(unit = "A") "Current";
    Rotational flange;
    Real phi(unit = "rad", start = ratio*q0 + hold/(ratio*c), fixed = true);
    Real w(unit = "rad/s", start = 0, fixed = true);
    Real i(unit = "A", start = hold/(ratio*k), fixed = true);
    Real u(unit = "V", start = Ra*hold/(ratio*k), fixed = true);
    Real error(unit = "A.s", start = hold/(ratio*k*band), fixed = true) "Integral of the current controller";
    Real gear(unit = "N.m") "Torque in the gear, at the rotor";
    Real friction(unit = "N.m");
    Integer mode(start = 0, fixed = true) "-1 backwards, 0 sticks, 1 forwards";
  protected
    Real a "Acceleration of the rotor";
    constant Real unit(unit = "1/(kg.m2)") = 1;
    Real s(unit = "N.m", start = 0) "Torque of the bearings while they stick; else beyond friction as acceleration";
    Boolean forth(start = false, fixed = true), back(start = false, fixed = true) "It begins to move";
    Boolean stuck(start = true, fixed = true);
    Real moves(unit = "rad/s") "Speed, but for the last rest of it while the rotor sticks";
  equation
    der(phi) = w;
    der(w) = a;
    J*a = k*i - gear - friction;
    gear = c*(phi - ratio*flange.phi) + d*(w - ratio*der(flange.phi));
    flange.tau = -ratio*gear;
    La*der(i) = u - Ra*i - k*w;
    der(error) = wanted - i;
    delay*der(u) = band*(La*(wanted - i) + Ra*error) - u;
    // Coulomb friction as a curve with the parameter s, so that no iteration depends on the mode
    forth = pre(mode) == 0 and (s > stick or pre(forth) and s > slide);
    back = pre(mode) == 0 and (s < -stick or pre(back) and s < -slide);
    stuck = not (pre(mode) <> 0 or forth or back);
    a = if stuck then -w/lock else unit*(if forth or pre(mode) == 1 then s - slide else s + slide);
    friction = viscous*w + (if stuck then s else if forth or pre(mode) == 1 then slide else -slide);
    moves = if stuck then 0 else w;
    mode = if (pre(mode) == 1 or forth) and moves > 0 then 1
      else if (pre(mode) == -1 or back) and moves < 0 then -1 else 0;
  end Drive;

  // ---- control ----

  function course "From 0 to 1 with speed and acceleration zero at both ends"
    input Real s "Share of the time";
    output Real y;
  algorithm
    y := if s <= 0 then 0 else if s >= 1 then 1 else s^3*(10 - 15*s + 6*s^2);
  end course;

  function duration "Of the way from one point to another: the slowest joint counts"
    input Real from[6], to[6] "Angles of the joints";
    input Real fastest[6], sharpest[6] "Their speed and acceleration";
    output Real t = 0;
  algorithm
    for j in 1:6 loop
      t := max(t, max(1.875*abs(to[j] - from[j])/fastest[j], sqrt(5.7735*abs(to[j] - from[j])/sharpest[j])));
    end for;
  end duration;

  function planned "Angles of the joints on the way through some points, again and again"
    input Real t "Time";
    input Real point[:, 6] "Angles by point";
    input Real length[size(point, 1)] "Time from each point to the next, from the last to the first";
    output Real q[6];
  protected
    Real left "Time since the last point";
    Integer n = size(point, 1), k = 1 "The last point";
  algorithm
    left := t - sum(length)*floor(t/sum(length));
    while k < n and left > length[k] loop
      left := left - length[k];
      k := k + 1;
    end while;
    q := point[k, :] + course(left/length[k])*(point[if k < n then k + 1 else 1, :] - point[k, :]);
  end planned;

  block Control "Path planning, then a P controller of the angle over a PI controller of the speed"
    parameter Real T(unit = "s") = 8e-4 "Interval of its clock";
    parameter Real ratio[6] "Of the gears";
    parameter Real inertia[6](each unit = "kg.m2") "Of rotor and load, at the rotor";
    parameter Real k(unit = "N.m/A") "Torque by current";
    parameter Real i0[6](each unit = "A") "Currents at the start";
    parameter Real phi0[6](each unit = "rad") "Angles of the rotors at the start";
    parameter Real fastest[6](each unit = "rad/s") = {2, 2, 2.5, 4, 4, 5} "Speed of joints";
    parameter Real sharpest[6](each unit = "rad/s2") = {8, 8, 10, 25, 25, 30} "Acceleration of joints";
    parameter Real point[:, 6](each unit = "rad");
    parameter Real band(unit = "rad/s") = 90 "Of the control of speed";
    final parameter Real length[size(point, 1)] = {duration(point[i, :],
      point[if i < size(point, 1) then i + 1 else 1, :], fastest, sharpest) for i in 1:size(point, 1)}
      "Time from point to point";
    In phi[6](each unit = "rad"), w[6](each unit = "rad/s") "Of the rotors";
    output Real current[6](each unit = "A", start = i0) "Wanted until the next tick";
    output Real before[6](each unit = "A") "The same as of the tick before";
    Real q[6](each unit = "rad", start = point[1, :]) "Wanted angles of the joints";
    Real last[6](each unit = "rad") "The same at the tick before";
    Real speed[6](each unit = "rad/s") "Wanted, of the rotors";
    Real sum[6](each unit = "rad", each start = 0) "Integral of the error of speed";
    Integer tick(start = -1);
  equation
    tick = previous(tick) + 1;
    q = planned(tick*T, point, length);
    last = previous(q);
    speed = ratio .* (q - last)/T + band/4*(phi0 + ratio .* (q - point[1, :]) - phi);
    sum = previous(sum) + T*(speed - w);
    current = i0 + band/k*inertia .* (speed - w + band/6*sum);
    before = previous(current);
  end Control;

  // ---- the robot ----

  partial model Data
    parameter Real q0[6] = {0.2, -0.3, 0.4, 0.1, 0.3, 0} "Angles at the start";
    parameter Real ratio[6] = {105, 115, 100, 80, 75, 60};
    parameter Real hold[6] = {0, -185.35768979675666, -369.4528331636447, 0.55917685496771308,
      -39.802483750664649, -0.6626416859338472} "Torques that keep the arm at rest at q0";
    parameter Real point[:, 6] = {q0, {0.9, 0.3, -0.2, 0.9, -0.5, 1}, {-0.5, 0.2, 0.3, -0.4, 0.6, -0.8}};
    Control control(ratio = ratio, k = 0.8, inertia = {0.012, 0.011, 0.006, 0.002, 0.0018, 0.0012},
      point = point, i0 = hold ./ ratio/0.8,
      phi0 = ratio .* q0 + hold ./ ratio ./ {45, 45, 40, 12, 12, 8});
    Drive drive[6](q0 = q0, hold = hold, ratio = ratio,
      J = {1.3e-3, 1.3e-3, 1.3e-3, 1e-3, 1e-3, 8e-4}, c = {45, 45, 40, 12, 12, 8});
    Arm arm(q0 = q0);
    Real tip[3] = arm.tip;
  end Data;

  model Whole "Continuous but for the control"
    extends Data;
  equation
    for k in 1:6 loop
      connect(drive[k].flange, arm.axis[k]);
    end for;
    when Clock(8, 10000) then
      control.phi = sample(drive.phi);
      control.w = sample(drive.w);
    end when;
    drive.wanted = hold(control.current);
    annotation(experiment(StopTime = 2, Tolerance = 1e-4));
  end Whole;

  model Single "One partition for drives and arm"
    extends Data;
    parameter Integer factor = 1 "Steps in an interval of the control";
    parameter String method = "ImplicitEuler";
    Rubato.Multirate.SignalToSlow phi[6](u = drive.phi, each factor = factor, each useDirectFeedthrough = true);
    Rubato.Multirate.SignalToSlow w[6](u = drive.w, each factor = factor, each useDirectFeedthrough = true);
    Rubato.Multirate.SignalToFast current[6](u = control.before, each factor = factor);
    Rubato.Multirate.RotationalClock plant(c = Clock(Clock(8, 10000*factor), method));
  equation
    for k in 1:6 loop
      connect(drive[k].flange, arm.axis[k]);
    end for;
    connect(plant.flange, arm.axis[1]);
    control.phi = phi.y;
    control.w = w.y;
    drive.wanted = current.y;
    annotation(experiment(StopTime = 2));
  end Single;

  model Partitioned "Drives and arm for themselves"
    extends Data;
    parameter Integer nP = 0 "Degree of extrapolation in couplings";
    Clock base = Clock(8, 10000);
    Rubato.Multirate.SignalToSlow phi[6](u = drive.phi, each factor = 1, each useDirectFeedthrough = true);
    Rubato.Multirate.SignalToSlow w[6](u = drive.w, each factor = 1, each useDirectFeedthrough = true);
    Rubato.Multirate.SignalToFast current[6](u = control.before, each factor = 1);
    Rubato.Multirate.RotationalForceDisp coupling[6](each nP = nP, each factor = 1);
    Rubato.Multirate.RotationalClock clockDrive[6](each c = Clock(base, "ImplicitEuler"));
    Rubato.Multirate.RotationalClock clockArm(c = Clock(base, "ExplicitMidPoint2"));
  equation
    for k in 1:6 loop
      connect(drive[k].flange, coupling[k].fast);
      connect(clockDrive[k].flange, drive[k].flange);
      connect(coupling[k].slow, arm.axis[k]);
    end for;
    connect(clockArm.flange, arm.axis[1]);
    control.phi = phi.y;
    control.w = w.y;
    drive.wanted = current.y;
    annotation(experiment(StopTime = 2));
  end Partitioned;
end Robot;
