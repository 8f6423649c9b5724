// Initial equations that repeat what others determine are left out and asked at the start.
//! command simulate {file} --model M --stop 1 --intervals 1 --output -
//! warning D123 14:3
//! warning D123 15:3
//! near x(0) = 1 within 1e-9
//! near z(0) = 2 within 1e-9
model M
  Real x, y, z;
  parameter Real p = 3;
  Real q = p;
initial equation
  x = 1;
  z = x + y;
  2*x = 2*y;
  q = 3;
equation
  der(x) = -x;
  y = x;
  der(z) = 0;
end M;
