//! command check {file}
//! error H101 6:24
//! message '1e-12*THETA' is of the order THETA^1, but '1.0' is of the order THETA^0
model M
  parameter Real THETA = 1;
  parameter Real C = 1 + 1e-12*THETA;
  Real v(start = 1);
equation
  C*der(v) = -v;
end M;
