//! command check {file}
//! error H103 6:8
//! message x: its derivative is infinitely small, so that it never moves
model M
  parameter Real THETA = 1;
  Real x(start = 1);
equation
  der(x) = -THETA*x;
end M;
