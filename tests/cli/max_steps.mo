// A run that needs more steps than allowed stops with its time.
//! command simulate {file} --stop 1000 --max-steps 20 --output -
//! error R108
//! exit 3
//! message the limit on the number of steps is reached
model M
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
end M;
