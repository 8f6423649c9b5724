// A branch that ceases to exist while the model runs, and none takes over: the run ends there, and
// no point after it has a relation that disagrees with its variable.
//! command simulate {file} --model M --stop 1 --intervals 4 --output -
//! exit 3
//! error R102 14:3
//! message at time 0.5: the nonlinear system of 2 equations for 'x' has no consistent branch
//! near x(0.25) = 0.236732904 within 1e-8
//! check {rubato} simulate {file} --model M --stop 1 --intervals 400 --output {tmp}/m.csv 2>/dev/null; awk -F, 'NR > 1 && $1 > 0.5001 { exit 1 }' {tmp}/m.csv
model M
  Real x(start = 1), s, u = 1 - time, y(start = 0, fixed = true);
equation
  der(y) = 1;
  s = if x > 0 then 1 else -1;
  x + 0.5*s + x^3 = u;
end M;
