//! command simulate {file} --set THETA=2 --output -
//! exit 2
//! message --set THETA=2: this is final
model M
  parameter Real THETA = 1.0;
  Real a(start = 3), x(start = 1, fixed = true);
equation
  THETA*der(a) = x - a;
  der(x) = -a;
end M;
