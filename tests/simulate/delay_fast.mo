// What is delayed or transported may move much faster than the states beside it: points of its past are
// kept as near to each other as its movement needs.
//! command simulate {file} --stop 1 --intervals 777 --output -
//! near worst(1) = 0 within 1e-4
//! check for t in 1e-3 1e-6 1e-9; do for f in 10 1000; do {rubato} simulate {file} --stop 1 --set f=$f --intervals 777 --tolerance $t --quiet --output r.csv || exit 1; python3 -c "import csv;r=list(csv.DictReader(open('r.csv')));e=max(max(abs(float(q['late'])),abs(float(q['far']))) for q in r);assert e<100*$t,('$t','$f',e)" || exit 1; done; done
//! check python3 {dir}/../../tools/delays.py {rubato} --count 12 --keep kept
model DelayFast
  parameter Real f = 40 "of the signal, beside a time constant of 10 s";
  parameter Real d = 0.37, v = 2.3;
  Real x(start = 0, fixed = true), p(start = 0, fixed = true);
  Real u = sin(2*3.141592653589793*f*time), y = delay(u, d), a, b;
  Real late = y - (if noEvent(time < d) then 0 else sin(2*3.141592653589793*f*(time - d)));
  Real far = b - (if noEvent(time < 1/v) then 0 else sin(2*3.141592653589793*f*(time - 1/v)));
  Real worst = max(abs(late), abs(far));
equation
  10*der(x) = 1 - x;
  der(p) = v;
  (a, b) = spatialDistribution(u, 0, p, true, {0, 1}, {0, 0});
end DelayFast;
//! long
