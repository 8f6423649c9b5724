// Assertions of the start are not those of a run that goes on; the others hold there as well.
//! input {rubato} simulate {file} --model M --components --stop 1 --interval 0.5 --save-state s.state --output a.csv
//! command simulate {file} --model M --components --from-state {tmp}/s.state --stop 3 --interval 0.5 --output {tmp}/b.csv
//! exit 3
//! error R107 11:3
//! message at time 2.5: 'part[3]': x is small
model Part
  parameter Real a = 1;
  Real x(start = 1, fixed = true);
equation
  assert(x > 0.5, "x is small");
  der(x) = -a*x;
initial equation
  assert(x > 0.99, "x starts too small");
end Part;
model M
  Part part[3](a = {0.1, 0.2, 0.3});
end M;
