// SPDX-License-Identifier: Apache-2.0
within Rubato;
package Planar "Rigid mechanics in a plane, as trees of joints and bodies"
  // A mechanism is a tree. It begins at a Fixed, every other component has a flange `to` that points
  // to the root and, unless it is a leaf, a flange `on` that points to the leaves. One flange `on` may
  // serve several flanges `to`.
  //
  // A flange is a triplet: the position is a signal that travels from the root to the leaves, the
  // velocity is a potential, the force is a flow. Positions and velocities are therefore known from
  // the states of the joints, and accelerations and forces are the solution of linear equations that
  // have one unknown for each joint: linear implicit equilibrium dynamics.
  //
  // Everything is resolved in the plane of the world, whose gravity is (0, -9.81) m/s2; angles are
  // counted counter-clockwise.

  connector FlangeTo "Points to the root of the tree"
    input Real r[2](each unit = "m") "Position";
    input Real phi(unit = "rad") "Angle";
    Real v[2](each unit = "m/s") "Velocity";
    Real w(unit = "rad/s") "Angular velocity";
    flow Real f[2](each unit = "N") "Force on the component";
    flow Real tau(unit = "N.m") "Torque on the component";
  end FlangeTo;

  connector FlangeOn "Points to the leaves of the tree"
    output Real r[2](each unit = "m") "Position";
    output Real phi(unit = "rad") "Angle";
    Real v[2](each unit = "m/s") "Velocity";
    Real w(unit = "rad/s") "Angular velocity";
    flow Real f[2](each unit = "N") "Force on the component";
    flow Real tau(unit = "N.m") "Torque on the component";
  end FlangeOn;

  model Fixed "Where a mechanism is fixed to the world"
    parameter Real r[2](each unit = "m") = {0, 0} "Position";
    parameter Real phi(unit = "rad") = 0 "Angle";
    FlangeOn on;
  equation
    on.r = r;
    on.phi = phi;
    on.v = {0, 0};
    on.w = 0;
  end Fixed;

  model Translation "A rod without mass"
    parameter Real r[2](each unit = "m") = {1, 0} "From one end to the other, if the angle is 0";
    FlangeTo to;
    FlangeOn on;
    Real d[2](each unit = "m") "From one end to the other";
  equation
    d = {cos(to.phi)*r[1] - sin(to.phi)*r[2], sin(to.phi)*r[1] + cos(to.phi)*r[2]};
    on.r = to.r + d;
    on.phi = to.phi;
    on.v = to.v + {-d[2]*to.w, d[1]*to.w};
    on.w = to.w;
    to.f + on.f = {0, 0};
    to.tau + on.tau + d[1]*on.f[2] - d[2]*on.f[1] = 0;
  end Translation;

  model Rotation "A bend without mass"
    parameter Real alpha(unit = "rad") = 0 "From one end to the other";
    FlangeTo to;
    FlangeOn on;
  equation
    on.r = to.r;
    on.phi = to.phi + alpha;
    on.v = to.v;
    on.w = to.w;
    to.f + on.f = {0, 0};
    to.tau + on.tau = 0;
  end Rotation;

  model Prismatic "A joint that slides"
    parameter Real e[2] = {1, 0} "Direction, if the angle is 0; its length is 1";
    parameter Real c(unit = "N/m") = 0 "Stiffness of a spring in the joint";
    parameter Real s0(unit = "m") = 0 "Where the spring is at rest";
    parameter Real d(unit = "N.s/m") = 0 "Damping in the joint";
    input Real force(unit = "N") = 0 "Of a drive";
    FlangeTo to;
    FlangeOn on;
    Real s(unit = "m", start = 0, fixed = true, stateSelect = StateSelect.always) "Way";
    Real v(unit = "m/s", start = 0, fixed = true, stateSelect = StateSelect.always) "Its derivative";
    Real n[2] "Direction";
  equation
    der(s) = v;
    n = {cos(to.phi)*e[1] - sin(to.phi)*e[2], sin(to.phi)*e[1] + cos(to.phi)*e[2]};
    on.r = to.r + {n[1]*s, n[2]*s};
    on.phi = to.phi;
    on.v = to.v + {n[1]*v - n[2]*s*to.w, n[2]*v + n[1]*s*to.w};
    on.w = to.w;
    to.f + on.f = {0, 0};
    to.tau + on.tau + s*(n[1]*on.f[2] - n[2]*on.f[1]) = 0;
    n[1]*to.f[1] + n[2]*to.f[2] = force - c*(s - s0) - d*v;
  end Prismatic;

  model Revolute "A joint that turns"
    parameter Real c(unit = "N.m/rad") = 0 "Stiffness of a spring in the joint";
    parameter Real phi0(unit = "rad") = 0 "Where the spring is at rest";
    parameter Real d(unit = "N.m.s/rad") = 0 "Damping in the joint";
    input Real torque(unit = "N.m") = 0 "Of a drive";
    FlangeTo to;
    FlangeOn on;
    Real phi(unit = "rad", start = 0, fixed = true, stateSelect = StateSelect.always) "Angle";
    Real w(unit = "rad/s", start = 0, fixed = true, stateSelect = StateSelect.always) "Its derivative";
  equation
    der(phi) = w;
    on.r = to.r;
    on.phi = to.phi + phi;
    on.v = to.v;
    on.w = to.w + w;
    to.f + on.f = {0, 0};
    to.tau + on.tau = 0;
    to.tau = torque - c*(phi - phi0) - d*w;
  end Revolute;

  model Body "Mass and inertia at a flange"
    parameter Real m(unit = "kg") = 1 "Mass";
    parameter Real I(unit = "kg.m2") = 0.1 "Inertia about the flange";
    parameter Real g[2](each unit = "m/s2") = {0, -9.81} "Gravity";
    FlangeTo to;
  equation
    to.f = m*(der(to.v) - g);
    to.tau = I*der(to.w);
  end Body;

  model SpringDamper "Between two flanges of one mechanism or of two"
    parameter Real c[2](each unit = "N/m") = {0, 0} "Stiffness";
    parameter Real d[2](each unit = "N.s/m") = {0, 0} "Damping";
    parameter Real r0[2](each unit = "m") = {0, 0} "From a to b at rest";
    parameter Real ct(unit = "N.m/rad") = 0 "Stiffness against turning";
    parameter Real dt(unit = "N.m.s/rad") = 0 "Damping of turning";
    parameter Real phi0(unit = "rad") = 0 "Angle at rest";
    FlangeTo a;
    FlangeTo b;
  equation
    b.f = {c[1]*(b.r[1] - a.r[1] - r0[1]) + d[1]*(b.v[1] - a.v[1]),
           c[2]*(b.r[2] - a.r[2] - r0[2]) + d[2]*(b.v[2] - a.v[2])};
    b.tau = ct*(b.phi - a.phi - phi0) + dt*(b.w - a.w);
    a.f + b.f = {0, 0};
    a.tau + b.tau = 0;
  end SpringDamper;

  model Pin "Closes a loop: two flanges are at one place and turn freely"
    // The loop is closed for accelerations, so that all joints keep their states. Start values must fit; a gap that
    // rounding and steps make closes again like exp(-rate*t). Source: Baumgarte, Stabilization of constraints and
    // integrals of motion in dynamical systems, 1972.
    parameter Real rate(unit = "1/s") = 10 "How fast a gap closes";
    FlangeTo a;
    FlangeTo b;
    Real gap[2](each unit = "m") "From a to b";
  equation
    gap = b.r - a.r;
    der(b.v) - der(a.v) + 2*rate*(b.v - a.v) + rate^2*gap = {0, 0};
    a.f + b.f = {0, 0};
    a.tau = 0;
    b.tau = 0;
  end Pin;

  model Force "On a flange, in directions of the world"
    input Real u[2](each unit = "N") = {0, 0} "Force";
    FlangeTo to;
  equation
    to.f + u = {0, 0};
    to.tau = 0;
  end Force;

  model Torque "On a flange"
    input Real u(unit = "N.m") = 0 "Torque";
    FlangeTo to;
  equation
    to.f = {0, 0};
    to.tau + u = 0;
  end Torque;

  model Contact "A point above a half plane, with stiffness, damping and friction"
    parameter Real n[2] = {0, 1} "Upwards; its length is 1";
    parameter Real h(unit = "m") = 0 "Where the half plane ends, along n";
    parameter Real k(unit = "N/m") = 1e4 "Stiffness";
    parameter Real d(unit = "N.s/m") = 100 "Damping";
    parameter Real mu = 0.3 "Friction";
    parameter Real slip(unit = "m/s") = 0.01 "Below this velocity friction is smaller";
    FlangeTo to;
    Real gap(unit = "m") "Above the half plane";
    Real speed(unit = "m/s") "Along n";
    Real along(unit = "m/s") "Across n";
    Real normal(unit = "N") "Force along n";
    Real friction(unit = "N") "Force across n";
  equation
    gap = n[1]*to.r[1] + n[2]*to.r[2] - h;
    speed = n[1]*to.v[1] + n[2]*to.v[2];
    along = n[2]*to.v[1] - n[1]*to.v[2];
    normal = noEvent(if gap < 0 then max(0, -k*gap - d*speed) else 0);
    friction = -mu*normal*noEvent(max(-1, min(1, along/slip)));
    to.f = {-n[1]*normal - n[2]*friction, -n[2]*normal + n[1]*friction};
    to.tau = 0;
  end Contact;
end Planar;
