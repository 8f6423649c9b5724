//! command check {file} --theta c,x
//! error H109
//! message --theta x: the model has no Real parameter of this name that stays one
model M
  parameter Real c = 1e-6;
  Real x(start = 1, fixed = true);
equation
  c*der(x) = -x;
end M;
