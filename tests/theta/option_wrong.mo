//! command check {file} --theta c,y,z
//! error H109
//! error H109
//! message --theta y: the model has no Real parameter of this name that stays one, and differentiates no such variable
//! message --theta z: the model has no Real parameter
model M
  parameter Real c = 1e-6;
  Real x(start = 1), y = 2*x, z = x;
initial equation
  der(z) = -1e6;
equation
  c*der(x) = -x;
end M;
