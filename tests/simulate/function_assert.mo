//! command simulate {file} --model M --stop 2 --output -
//! error R115 9:3
//! exit 3
//! message x = 0.5 is too large
function checked
  input Real x;
  output Real y;
algorithm
  assert(x < 0.5, "x = " + String(x, significantDigits = 3) + " is too large");
  y := x;
end checked;

model M
  Real x(start = 0, fixed = true);
equation
  der(x) = checked(x) + 1;
end M;
