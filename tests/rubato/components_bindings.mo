// What a variable is declared to equal, and attributes but its start, hold for all instances of a family: values for each of
// them are refused, not taken from the first one. Nor are assertions about parameters that differ left out.
//! command simulate {file} --model Signals --components
//! error C105 22:14
//! check {rubato} simulate {file} --model Fixed --components 2>&1 | grep -q "error C105: the values of 'p.x' for the instances"
//! check {rubato} simulate {file} --model Same --components --stop 1 --interval 1 --output s.csv --quiet && tail -1 s.csv | grep -q '^1,'
//! check {rubato} simulate {file} --model Large --stop 1 --interval 1 --variables "^p.1024..q$" --quiet --output l.csv && tail -1 l.csv | grep -q '^1,1024$'
//! check {rubato} simulate {file} --model Checked --stop 1 --output l.mat 2>&1 | grep -q "error R107: the simulation failed at time 0: too large"
model P
  Real q;
  Real x(start = 1);
equation
  der(x) = -q*x;
end P;
model C
  extends P(q = k);
  parameter Real k = 1;
equation
  assert(k < 10, "too large");
end C;
model Signals
  P p[3](q = {time, 2*time, 3*time});
end Signals;
model Fixed
  P p[3](each q = 1, x(fixed = {true, false, true}));
end Fixed;
model Same
  P p[3](q = {2, 2, 2}, x(each fixed = true));
end Same;
model Large
  P p[1024](q = {i*time for i in 1:1024}, x(each fixed = true), w = {{i*j for j in 1:64} for i in 1:1024});
  model P
    extends .P;
    Real w[64];
  end P;
end Large;
model Checked
  model D
    extends C(x(fixed = true));
    Real w[64] = {sin(i*x) for i in 1:64};
  end D;
  D c[1024](k = {i/100 for i in 1:1024});
end Checked;
