// Values for each instance that are not known when translating.
//! command simulate {file} --model M --components
//! error C105 13:20
//! message the values of 'part.a' for the instances of a family are not known when translating
model Part
  parameter Real a = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -a*x;
end Part;
model M
  parameter Real b(fixed = false);
  Part part[3](a = {b, 2, 3});
initial equation
  b = 2;
end M;
