// A run in two parts ends where one run does, with its discrete values.
//! command simulate {file} --stop 4 --output -
//! near n(4) = 3 within 0
//! check {rubato} simulate {file} --stop 2.5 --save-state s --quiet; {rubato} simulate {file} --stop 4 --from-state s --output b.csv --quiet; {rubato} simulate {file} --stop 4 --output a.csv --quiet; python3 -c "import csv; a, b = ([float(x) for x in list(csv.reader(open(n)))[-1]] for n in ('a.csv', 'b.csv')); assert max(abs(x - y) for x, y in zip(a, b)) < 1e-5, (a, b)"; head -2 b.csv | tail -1 | grep -q "^2.5,"
//! check {rubato} simulate {file} --stop 2 --from-state s 2> words; test $? = 1; grep -q "cannot continue from the state 's': the state is of time 2.5, the simulation from 0 to 2" words
//! check echo nothing > bad; {rubato} simulate {file} --from-state bad 2> words; test $? = 1; grep -q "these bytes are no state" words
model M
  Real x(start = 1, fixed = true);
  discrete Integer n(start = 0, fixed = true);
equation
  der(x) = -x;
  when sample(1, 1) then
    n = pre(n) + 1;
  end when;
end M;
