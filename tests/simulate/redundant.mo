// Equations that say the same twice leave something open: a warning. If they contradict each other,
// the system has no solution.
//! command simulate {file} --model M --stop 1 --intervals 2 --output -
//! warning R105 12:3
//! message 2 equations for 'y', 'x' depend on each other: they have many solutions, and that with 'x' nearest to the start is taken
//! near x(1) = 0 within 1e-12
//! near y(1) = 1 within 1e-12
//! check {rubato} simulate {file} --model M --stop 1 --set p=1 --output {tmp}/m.csv 2>&1 | grep -q "11:3: error R102: .* the linear system of 2 equations for 'x' is singular"
//! check {rubato} simulate {file} --set x.start=3 --set y.start=1 --output {tmp}/s.csv --quiet && tail -1 {tmp}/s.csv | grep -q '^1,.*3.*,-2' || { tail -1 {tmp}/s.csv; exit 1; }
model M "p: by how much the second equation contradicts the first" parameter Real p = 0; Real x, y; equation
  x + y = time;
  2*x + 2*y = 2*time + p;
end M;
