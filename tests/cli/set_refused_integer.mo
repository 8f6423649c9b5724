//! command simulate {file} --set n=2.5 --output -
//! exit 2
//! message --set n=2.5: this is an Integer
model M
  parameter Real x = 1, y = x;
  parameter Integer n = 3;
  parameter Boolean b = true;
  Real w = y, u = sin(time);
end M;
