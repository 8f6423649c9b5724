// An initial equation that was left out because others determine all of it, but does not hold.
//! command simulate {file} --model M --stop 1 --output -
//! exit 3
//! error R107 16:3
//! message does not hold: the others determine other values
//! warning D123 15:3
//! warning D123 16:3
model M
  Real x, y, z;
  parameter Real p = 3;
  Real q = p;
initial equation
  x = 1;
  z = x + y;
  2*x = 2*y;
  q = 4;
equation
  der(x) = -x;
  y = x;
  der(z) = 0;
end M;
