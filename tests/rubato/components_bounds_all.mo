// Bounds of variables are looked at in instances that are not recorded, too.
//! command simulate {file} --model M --components --bounds error --stop 0.01 --interval 1e-3 --output {tmp}/x.csv
//! exit 3
//! error R114 9:8
//! message 'part[137].y' is 0.5 at time 0, above its max of 0.2
model Part
  parameter Real a = 0.1;
  Real x(start = 1, fixed = true);
  Real y(max = 0.2) = a*x;
equation
  der(x) = -a*x;
end Part;
model M
  Part part[300](a = {if k == 137 then 0.5 else 0.1 for k in 1:300});
end M;
