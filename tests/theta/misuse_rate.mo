//! command check {file}
//! error H104 9:3
//! message 'der(x)' is of the order THETA^-1, but '1.0' is of the order THETA^0
model M
  parameter Real THETA = 1;
  Real x(start = 1), y;
equation
  THETA*der(x) = -x;
  y = 1 + der(x);
end M;
