// Assertions are looked at in all instances, and the one that violates is named.
//! command simulate {file} --model M --components --stop 0.01 --output -
//! exit 3
//! error R107 10:3
//! message at time 0: 'part[137]': a is too large
model Part
  parameter Real a = 1;
  Real x(start = 1, fixed = true);
equation
  assert(a < 137, "a is too large");
  der(x) = -a*x;
end Part;
model M
  Part part[300](a = {if k == 137 then 200 else 1 for k in 1:300});
end M;
