//! command simulate {file} --set w=3 --output -
//! exit 2
//! message --set w=3: this is computed: it equals a parameter
model M
  parameter Real x = 1, y = x;
  parameter Integer n = 3;
  parameter Boolean b = true;
  Real w = y, u = sin(time);
end M;
