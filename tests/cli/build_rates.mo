// Several rates need a program that was translated for them.
//! command build {file} --rates 3 -o m.rbp --quiet
//! check {rubato} simulate {file} --rates 3 --output a.csv --quiet && {rubato} simulate m.rbp --rates 3 --output b.csv --quiet && cmp a.csv b.csv
//! check {rubato} simulate {file} --output a.csv --quiet && {rubato} build {file} -o one.rbp --quiet && {rubato} simulate one.rbp --output b.csv --quiet && cmp a.csv b.csv
//! check {rubato} simulate one.rbp --rates 3 --output c.csv > out 2>&1; test $? = 2 && grep -q "this program was translated for one rate, not for 3" out && test ! -e c.csv
model M
  parameter Integer N = 20;
  Real x[N](start = {sin(i) for i in 1:N}, each fixed = true);
  Boolean on[N](each start = false, each fixed = true);
equation
  for i in 1:N loop
    der(x[i]) = (if mod(i, 5) == 0 then 100 else 1)*(cos(time) - x[i]) + (if on[i] then 0.1 else 0);
    on[i] = x[i] > 0.5;
  end for;
end M;
