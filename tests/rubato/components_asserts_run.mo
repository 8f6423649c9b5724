// An assertion about a state is looked at in all instances at the points of the result, with and without control of errors.
//! command simulate {file} --model M --components --fixed-step 1e-3 --stop 0.01 --interval 1e-3 --output {tmp}/x.csv
//! exit 3
//! error R107 11:3
//! message at time 0.005: 'part[137]': x is too small
model Part
  parameter Real a = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -a*x;
  assert(x > 0.9955, "x is too small");
end Part;
model M
  Part part[300](a = {if k == 137 then 1 else 0.1 for k in 1:300});
end M;
