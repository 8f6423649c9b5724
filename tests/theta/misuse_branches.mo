//! command check {file}
//! error H101 8:3
//! message but 'THETA' is of the order THETA^1
model M
  parameter Real THETA = 1;
  Real x(start = 1);
equation
  (if x > 0 then THETA else 1)*der(x) = -x;
end M;
