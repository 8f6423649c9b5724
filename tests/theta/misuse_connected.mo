//! command check {file}
//! error H101 10:3
//! message is of the order THETA^1
model M "The same current at both sides of a node is of two orders"
  parameter Real THETA = 1;
  Real x(start = 1), y(start = 1), i;
equation
  i = der(x);
  i = -x;
  i + THETA*x = der(y);
end M;
