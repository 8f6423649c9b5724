// Parameters in results: in every line, in the first one, or not at all.
//! command simulate {file} --output - --intervals 2 --parameters once
//! near x(1) = 0.9048374180359595 within 1e-6
//! input {rubato} simulate {file} --output few.csv --intervals 2 --parameters once --quiet
//! check sed -n 1p few.csv | grep -qx '"time","k","n","x","y"'
//! check sed -n 2p few.csv | grep -qx '0,0.1,3,1,0.1'
//! check sed -n 3p few.csv | grep -q '^0.5,,,0.9512294245'
//! check {rubato} simulate {file} --output once.csv --quiet --parameters once && {rubato} simulate {file} --output all.csv --quiet && {rubato} compare once.csv all.csv && test $(wc -c <once.csv) -lt $(wc -c <all.csv)
//! check {rubato} simulate {file} --output no.csv --quiet --parameters no && head -1 no.csv | grep -qx '"time","x","y"'
//! check {rubato} simulate {file} --output no.mat --quiet --parameters no && test $({rubato} variables no.mat | wc -l) = 2
//! check {rubato} convert once.csv --output c.csv && sed -n 3p c.csv | grep -q ',0.1,3,'
//! check {rubato} simulate {file} --parameters none 2>&1 | grep -q "parameters is all, once or no, not 'none'"
model Parameters
  parameter Real k = 0.1;
  parameter Integer n = 3;
  Real x(start = 1, fixed = true), y = k*x;
equation
  der(x) = -k*x;
end Parameters;
