// Numbers of a program file can be set; what shapes the model needs its text.
//! input {rubato} build {file} -o m.rbp --quiet
//! command simulate m.rbp --set k=3 --set a[2]=7 --set x=5 --set on=false --output -
//! near y(0) = 21 within 1e-12
//! near x(0) = 5 within 1e-12
//! near z(0) = 7 within 1e-12
//! near sum(0) = 11 within 1e-12
//! check {rubato} simulate m.rbp --set N=4 --output r.csv > out 2>&1; test $? = 2 && grep -q -- "--set N=4: this shapes the model" out
//! check {rubato} simulate m.rbp --set 'text="yes"' --output r.csv > out 2>&1; test $? = 2 && grep -q -- '--set text="yes": this is no number' out
//! check {rubato} simulate m.rbp --set k=2*3 --output r.csv > out 2>&1; test $? = 2 && grep -q -- "--set k=2\*3: this is no number" out
//! check {rubato} simulate m.rbp --set nobody=4 --output r.csv > out 2>&1; test $? = 2 && grep -q -- "--set nobody=4: the model has no variable 'nobody'" out
//! check {rubato} simulate m.rbp --set a[4]=4 --output r.csv > out 2>&1; test $? = 2 && grep -q "the model has no variable 'a\[4\]'" out
//! check {rubato} simulate m.rbp --set fix=4 --output r.csv > out 2>&1; test $? = 2 && grep -q -- "--set fix=4: this is final" out
//! check test ! -e r.csv
model M
  parameter Integer N = 3;
  parameter Real k = 2;
  parameter Real a[3] = {1, 2, 3};
  parameter Real twice = 2*k;
  parameter Boolean on = true;
  parameter String text = "no";
  final parameter Real fix = 1;
  Real x(start = 1, fixed = true);
  Real w[N] = fill(x, N);
  Real y = if text == "no" and not on then k*a[2] else 0;
  Real z = twice + fix;
  Real sum = a[1] + a[2] + a[3];
equation
  der(x) = -x;
end M;
