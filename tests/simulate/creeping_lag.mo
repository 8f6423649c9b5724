// A relay with a fast lag: its output moves, but events follow each other every few nanoseconds.
//! command simulate {file} --stop 10 --output {tmp}/r.csv
//! error R104 10:3
//! exit 3
//! message the simulation failed at time 1.000
model M
  Real x(start = 1, fixed = true), u(start = 0, fixed = true);
equation
  der(x) = u;
  1e-6*der(u) = (if x > 0 then -1 else 1) - u;
end M;
