// A relaxation oscillation: where the branch of the fast process ends it jumps to the other one, at
// multiples of 3/2 - ln 2, in an event.
//! command simulate {file} --stop 4 --interval 0.01 --rates 2 --output result.csv
//! stat theta.jumps >= 4
//! stat events_state = 4
//! check python3 {dir}/jumps.py result.csv 1e-4
model Relaxation
  Real x(start = 2), y(start = 2/3, fixed = true);
equation
  Rubato.THETA*der(x) = y - (x^3/3 - x);
  der(y) = -x;
end Relaxation;
