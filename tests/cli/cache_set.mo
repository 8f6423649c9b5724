// --set on a model that comes from the cache: what a simulation can take needs no translation, the rest does once.
//! environment XDG_CACHE_HOME={tmp}/cache
//! input {rubato} simulate {file} --quiet --output r.csv
//! command simulate {file} --set k=3 --set a[2]=7 --set x=5 --output -
//! near y(0) = 21 within 1e-12
//! near x(0) = 5 within 1e-12
//! near z(0) = 6 within 1e-12
//! check for s in k=3 a[2]=7 x=5 'k = 4'; do {rubato} simulate {file} --set "$s" --stages --quiet --output s.csv 2> out && ! grep -q "stage: flatten" out && {rubato} simulate {file} --set "$s" --no-cache --quiet --output t.csv && cmp s.csv t.csv && ! cmp -s s.csv r.csv || exit 1; done
//! check for s in N=4 'text="yes"' 'a={3,4,5}' 'k=2*3'; do for i in 1 2; do {rubato} simulate {file} --set "$s" --stages --quiet --output $i.csv 2> $i.out || exit 1; done; grep -q "stage: flatten" 1.out && ! grep -q "stage: flatten" 2.out && cmp 1.csv 2.csv && ! cmp -s 1.csv r.csv || exit 1; done
//! check {rubato} simulate {file} --set N=4 --set k=5 --stages --quiet --output s.csv 2> out && ! grep -q "stage: flatten" out && head -n 1 s.csv | grep -q "w\[4\]" && {rubato} simulate {file} --set N=4 --set k=5 --no-cache --quiet --output t.csv && cmp s.csv t.csv
//! check for s in nobody=4 a[4]=1 x[1]=2; do {rubato} simulate {file} --set $s --output s.csv > out 2>&1; test $? = 2 && grep -qF -- "--set $s: the model has no such variable" out || exit 1; done
//! check {rubato} simulate {file} --set fix=4 --output s.csv > out 2>&1; test $? = 2 && grep -q -- "--set fix=4: this is final" out
//! check {rubato} simulate {file} --set fix --output s.csv > out 2>&1; test $? = 2 && grep -q -- "--set fix: this is not name=value" out
//! check {rubato} simulate {file} --quiet --output s.csv && cmp s.csv r.csv
model M
  parameter Integer N = 3;
  parameter Real k = 2;
  parameter Real a[3] = {1, 2, 3};
  parameter Real twice = 2*k;
  parameter String text = "no";
  final parameter Real fix = 1;
  Real x(start = 1, fixed = true);
  Real w[N] = fill(x, N);
  Real y = if text == "no" then k*a[2] else 0;
  Real z = twice;
equation
  der(x) = -x;
end M;
//! long
