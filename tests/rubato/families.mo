// What a look at families shows.
//! command structure {file} --model Fleet --components
//! output family crab: 1000000 instances, 4 states, linear systems of 2 unknowns at most, 32 bytes an instance\n
//! output family heavy: 6 instances, 4 states, linear systems of 2 unknowns at most, 40 bytes an instance (1 parameters differ)\n
//! output family of the rest: 1 instances, 1 states, 8 bytes an instance\n
//! output linear block of 13
model Fleet
  Rubato.Planar.Examples.CraneCrab crab[1000000];
  Rubato.Planar.Examples.CraneCrab heavy[2, 3](body2(m = {{1, 2, 3}, {4, 5, 6}}));
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end Fleet;
