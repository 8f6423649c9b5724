// A nonlinear system whose relation contradicts the solution in either branch has no solution.
//! command simulate {file} --model M --stop 1 --output -
//! exit 3
//! error R102 11:3
//! message at time 0: the nonlinear system of 2 equations for 'x' has no consistent branch: whatever its relations are taken to be, the solution contradicts them
//! message 10:3: note: with a relation: s = (if x > 0 then 1 else -1)
model M
  Real x, s, u = 0.3*cos(time);
equation
  s = if x > 0 then 1 else -1;
  x + 0.5*s + x^3 = u;
end M;
