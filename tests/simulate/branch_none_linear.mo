// The same with a linear system and a discrete unknown.
//! command simulate {file} --model M --stop 1 --output -
//! exit 3
//! error R102 11:3
//! message has no consistent branch: whatever its relations are taken to be, the solution contradicts them
model M
  Real x;
  Boolean b;
  Integer k;
equation
  b = x > 0;
  k = if b then 1 else -1;
  x + 0.5*k = 0.1*time;
end M;
