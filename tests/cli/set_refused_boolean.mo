//! command simulate {file} --set b=2 --output -
//! exit 2
//! message --set b=2: this is a Boolean: true or false
model M
  parameter Real x = 1, y = x;
  parameter Integer n = 3;
  parameter Boolean b = true;
  Real w = y, u = sin(time);
end M;
