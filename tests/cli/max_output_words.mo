// While a large result is written, the run says so: at a twentieth of what is allowed, and at each doubling.
//! command simulate {file} --stop 1000 --interval 0.1 --max-output 1M --output {tmp}/r.csv
//! message rubato: the result has
//! message at 0.001 GB the run ends (--max-output); --interval and --variables make it smaller
//! check {rubato} simulate {file} --stop 1000 --interval 0.1 --max-output 1M --output q.csv 2> words > /dev/null; test $(grep -c 'the result has' words) -eq 3 && {rubato} simulate {file} --stop 1000 --interval 0.1 --output q.csv 2>&1 | grep -c 'the result has' | grep -qx 0
model M
  Real x(start = 0, fixed = true), y = sin(x);
equation
  der(x) = 1;
end M;
