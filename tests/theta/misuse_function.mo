//! command check {file}
//! error H102 8:3
//! message 'THETA' is of the order THETA^1, but must be finite
model M
  parameter Real THETA = 1;
  Real x(start = 1);
equation
  sin(THETA)*der(x) = -x;
end M;
