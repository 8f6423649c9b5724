// The same with control of errors, and a warning of the start that comes from one instance.
//! command simulate {file} --model M --components --stop 0.01 --interval 1e-3 --output {tmp}/x.csv
//! exit 3
//! warning R105 13:3
//! message at time 0: 'part[299]': a is large
//! error R107 12:18
//! message at time 0.005: 'part[137]': x is too small
model Part
  parameter Real a = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -a*x; assert(x > 0.9955, "x is too small");
  assert(a < 0.5 or a == 1, "a is large", AssertionLevel.warning);
end Part;
model M
  Part part[300](a = {if k == 137 then 1 else if k == 299 then 0.6 else 0.1 for k in 1:300});
end M;
