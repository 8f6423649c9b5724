//! command simulate {file} --set x.start=2 --output -
//! exit 2
//! message --set x.start=2: this is a parameter, which has no start value
model M
  parameter Real x = 1, y = x;
  parameter Integer n = 3;
  parameter Boolean b = true;
  Real w = y, u = sin(time);
end M;
