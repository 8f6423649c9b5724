//! command simulate {file} --set x=1e999 --output -
//! exit 2
//! message --set x=1e999: this is not a finite number
model M
  parameter Real x = 1, y = x;
  parameter Integer n = 3;
  parameter Boolean b = true;
  Real w = y, u = sin(time);
end M;
