// The trolley is damped; reference values of an independent program.
//! command simulate {file} --model Damped --tolerance 1e-11 --output -
//! near prismatic.s(1) = 0.20165350921 within 1e-9
//! near revolute.phi(1) = -0.26576374106 within 1e-9
//! near prismatic.s(2) = -0.0023002889558 within 1e-9
//! near revolute.phi(2) = -1.3472816592 within 1e-9
//! near prismatic.s(10) = -0.022499763607 within 1e-9
//! near revolute.phi(10) = 0.63438280548 within 1e-9
model Damped
  import Rubato.Planar.*;
  Fixed fixed;
  Prismatic prismatic(e = {1, 0}, d = 10);
  Body body1(m = 1, I = 0.1);
  Revolute revolute(phi(start = 2.6179938779915));
  Translation rod(r = {0, -1});
  Body body2(m = 0.5, I = 0.1);
equation
  connect(fixed.on, prismatic.to);
  connect(prismatic.on, body1.to);
  connect(prismatic.on, revolute.to);
  connect(revolute.on, rod.to);
  connect(rod.on, body2.to);
  annotation(experiment(StopTime = 10, Interval = 1));
end Damped;
