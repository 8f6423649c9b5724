//! command simulate {file} --set u=3 --output -
//! exit 2
//! message --set u=3: this is computed; its start value is set by its name with '.start'
model M
  parameter Real x = 1, y = x;
  parameter Integer n = 3;
  parameter Boolean b = true;
  Real w = y, u = sin(time);
end M;
