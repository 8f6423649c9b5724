// The other parts, each against a formula: a spring that swings, a drive, a bend, a contact at rest.
//! command simulate {file} --model Parts --tolerance 1e-10 --output -
//! near swing.s(2) = 0.25 within 1e-8
//! near driven.phi(3) = 9 within 1e-8
//! near tip.to.r[1](0) = -2 within 1e-12
//! near tip.to.r[2](0) = 1 within 1e-12
//! near fall.s(5) = -0.00981 within 1e-8
//! near foot.normal(5) = 98.1 within 1e-3
//! near tied.s(10) = 0.45 within 1e-4
model Parts
  import Rubato.Planar.*;
  constant Real pi = 3.14159265358979;
  Fixed wall(r = {1, 1});
  // a mass on a spring, of period 2
  Prismatic swing(c = pi^2, s(start = 0.25));
  Body mass(m = 1, g = {0, 0});
  // a constant torque
  Revolute driven(torque = 2);
  Body wheel(m = 1, I = 1, g = {0, 0});
  // geometry
  Rotation bend(alpha = pi/2);
  Translation arm(r = {0, 3});
  Force tip(u = {1, 0});
  // a foot on the ground
  Fixed origin;
  Prismatic fall(e = {0, 1});
  Body stone(m = 10, I = 1);
  Contact foot(k = 1e4, d = 1e3);
  // a second mass, tied to the wall, pulled
  Prismatic tied(d = 1);
  Body other(m = 1, g = {0, 0});
  SpringDamper tie(c = {2, 0}, d = {1, 0}, r0 = {-1, -1});
  Force pull(u = {0.9, 0});
equation
  connect(wall.on, swing.to);
  connect(swing.on, mass.to);
  connect(wall.on, driven.to);
  connect(driven.on, wheel.to);
  connect(wall.on, bend.to);
  connect(bend.on, arm.to);
  connect(arm.on, tip.to);
  connect(origin.on, fall.to);
  connect(fall.on, stone.to);
  connect(fall.on, foot.to);
  connect(origin.on, tied.to);
  connect(tied.on, other.to);
  connect(wall.on, tie.a);
  connect(tied.on, tie.b);
  connect(tied.on, pull.to);
  annotation(experiment(StopTime = 10, Interval = 1));
end Parts;
