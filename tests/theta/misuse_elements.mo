//! command check {file}
//! error H108 6:8
//! message x[2]: its level differs from that of other elements of its array
model M
  parameter Real THETA = 1;
  Real x[2](each start = 1);
equation
  THETA*der(x[1]) = -x[1];
  der(x[2]) = -x[2];
end M;
