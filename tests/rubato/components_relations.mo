// Relations that no derivative needs are those of the instance that is looked at, at every point.
//! command simulate {file} --model M --components --stop 1 --interval 0.5 --output -
//! near part[1].b(0.5) = 0 within 0
//! near part[1].b(1) = 1 within 0
//! near part[3].b(0.5) = 1 within 0
//! near part[3].i(1) = 2 within 0
model Part
  parameter Real a = 1;
  Real x(start = 1, fixed = true);
  Boolean b = x < 0.5;
  Integer i = if b then 2 else 1;
equation
  der(x) = -a*x;
end Part;
model M
  Part part[3](a = {1, 2, 3});
end M;
