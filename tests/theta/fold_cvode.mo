//! needs cvode
//! command simulate {file} --stop 4 --interval 0.01 --solver cvode --tolerance 1e-7 --output result.csv
//! stat events_state = 4
//! check python3 {dir}/jumps.py result.csv 1e-4
model Relaxation
  Real x(start = 2), y(start = 2/3, fixed = true);
equation
  Rubato.THETA*der(x) = y - (x^3/3 - x);
  der(y) = -x;
end Relaxation;
