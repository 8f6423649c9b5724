// Ctrl-C: the run ends after the step, the message tells what was kept, the state can be continued.
//! command simulate {file} --stop 2 --output -
//! near x(2) = -0.41614684 within 1e-5
//! check {rubato} simulate {file} --stop 1e9 --interval 10 --output r.csv --save-state s 2> words & p=$!; n=0; while [ $n -lt 5000 ]; do sleep 0.05; n=$(cat r.csv 2> /dev/null | wc -c); done; kill -TERM $p; wait $p; test $? = 3 && grep -q "interrupted at time .* points up to there are kept in 'r.csv', the state in 's'" words && {rubato} compare r.csv r.csv --quiet
//! check python3 -c "import csv; rows = list(csv.reader(open('r.csv'))); print(float(rows[-1][0]) + 100)" > stop; {rubato} simulate {file} --from-state s --stop $(cat stop) --output t.csv --quiet --interval 10 && python3 -c "import csv; a, b = (list(csv.reader(open(n))) for n in ('r.csv', 't.csv')); t = float(b[1][0]); assert float(a[-1][0]) <= t < float(a[-1][0]) + 10.001, t; assert abs(float(b[1][1])) < 1.2"
model M
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
end M;
