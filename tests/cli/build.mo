// A program file gives the results of the model, byte for byte, and the same model the same file.
//! command build {file} -o m.rbp
//! output M: 
//! output -> m.rbp
//! check {rubato} simulate {file} --output a.csv --quiet && {rubato} simulate m.rbp --output b.csv --quiet && cmp a.csv b.csv
//! check {rubato} simulate {file} --output a.mat --quiet && {rubato} simulate m.rbp --output b.mat --quiet && cmp a.mat b.mat
//! check cp m.rbp elsewhere && {rubato} simulate elsewhere --output c.csv --quiet && cmp a.csv c.csv
//! check {rubato} build {file} --output again.rbp --no-cache --quiet && cmp m.rbp again.rbp
//! check for o in "--method radauIIA5" "--method dopri5 --stop 1" "--set k=3 --set a[2]=0.5 --set h=2"; do {rubato} simulate {file} $o --output a.csv --quiet && {rubato} simulate m.rbp $o --output b.csv --quiet && cmp a.csv b.csv || exit 1; done
model M
  function f
    input Real u[:];
    output Real y = 0;
  algorithm
    for i in 1:size(u, 1) loop
      y := y + sin(u[i]);
    end for;
  end f;
  type Mode = enumeration(slow, fast);
  parameter Real k = 2 "Stiffness";
  parameter Real a[3] = {1, 2, 3};
  parameter Real twice = 2*k;
  parameter String text = "some";
  parameter Mode mode = Mode.fast;
  Real x[3](each start = 1, each fixed = true);
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Real y(start = 1), z(start = 1);
  Real past = delay(h, 0.1);
  discrete Integer n(start = 0, fixed = true);
equation
  for i in 1:3 loop
    der(x[i]) = -k*a[i]*x[i] + f(x) + (if mode == Mode.fast then 1 else 0);
  end for;
  y + z^3 = x[1];
  z - x[2]*y = if text == "some" then 0.1 else 0.2;
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.7*pre(v));
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1.5));
end M;
