// A force that depends on the square of an acceleration.
//! command structure {file} --model Square --components
//! error C104 9:3
//! message class 'Square' is not LIED: it is not linear in what is implicit: 'to.tau = m*der(to.w)^2
model Square
  parameter Real m = 1;
  Rubato.Planar.FlangeTo to;
equation
  to.tau = m*der(to.w)^2;
  to.f = {0, 0};
end Square;
