// min and max are assertions: a variable that leaves them ends the run if asked for, at an output
// point or an event, else it warns. Ten tolerances beyond are the error of the solution.
//! command simulate {file} --model M --stop 1 --intervals 10 --bounds error --output -
//! exit 3
//! error R114 12:8
//! message 'x' is 1.6 at time 0.6, above its max of 1.5
//! near x(0.5) = 1.5 within 1e-9
//! check {rubato} simulate {file} --model M --stop 1 --intervals 10 --output {tmp}/m.csv 2>&1 | grep -q "12:8: warning R105: at time 0.6: 'x' is 1.6 at time 0.6, above its max of 1.5" && tail -1 {tmp}/m.csv | grep -q "^1,"
//! check {rubato} simulate {file} --model M --stop 1 --bounds off --output {tmp}/m.csv 2>&1 | grep -q "12:8" && exit 1; tail -1 {tmp}/m.csv | grep -q "^1,"
//! check {rubato} simulate {file} --bounds never 2>&1 | grep -q "rubato: --bounds is error, warning or off, not 'never'"
model M
  Real x(start = 1, fixed = true, min = 0, max = high), y(min = -1) = -1 - 1e-7*time;
  parameter Real high = 1.5;
equation
  der(x) = 1;
end M;
