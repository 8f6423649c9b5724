// Of a result: constants and ranges; of a model: values at the start and what they are.
//! input {rubato} simulate {dir}/plot.mo --output p.mat --intervals 20 --quiet
//! command variables {tmp}/p.mat
//! output y     -1 ... 0              its negative [m]\n
//! output k            2  constant    a constant\n
//! check {rubato} variables {file} > list && grep -q "^x  *1  state       height \[m\]$" list && grep -q "^k  *2  parameter *$" list
//! check {rubato} variables {file} '^k' | wc -l | grep -q '^1$'
model M
  Real x(start = 1, fixed = true, unit = "m") "height";
  parameter Real k = 2;
equation
  der(x) = -k*x;
end M;
