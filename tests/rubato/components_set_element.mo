// One element of a family has no name that a value can be set to.
//! command simulate {file} --model M --components --set part[7].a=3 --stop 1 --output {tmp}/x.csv
//! exit 2
//! message it is one of a family, of which --components sets no single element
model Part
  parameter Real a = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -a*x;
end Part;
model M
  Part part[30](a = {k/30 for k in 1:30});
end M;
