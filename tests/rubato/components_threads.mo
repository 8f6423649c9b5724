// Instances of a sweep are shared out to threads: a forest of 1,300 double pendulums on one support, some of whose angles are
// too wide for the fast sine. The same bytes for any number of threads, the same values as the ordinary path.
//! command simulate {file} --model Forest --components --set n=1300 --instances 1,700,1300 --stop 0.02 --interval 0.02 --fixed-step 1e-3 --method rk4 --output -
//! same-as --threads 2
//! same-as --threads 3
//! near upper[700].j.phi(0) = 0.7 within 1e-15
//! check {rubato} simulate {file} --model Forest --set n=4 --stop 0.02 --interval 0.02 --fixed-step 1e-3 --method rk4 --output one.csv --quiet && {rubato} simulate {file} --model Forest --components --threads 2 --set n=4 --instances 1,2,3,4 --stop 0.02 --interval 0.02 --fixed-step 1e-3 --method rk4 --output many.csv --quiet && {dir}/same.py one.csv many.csv 1e-9 100
//! check {rubato} simulate {file} --model Forest --components --set n=1300 --set wide=1e6 --instances 1299 --stop 0.02 --interval 0.02 --fixed-step 1e-3 --method rk4 --output one.csv --quiet && {rubato} simulate {file} --model Forest --components --set n=1300 --set wide=1e6 --instances 1299 --threads 2 --stop 0.02 --interval 0.02 --fixed-step 1e-3 --method rk4 --output two.csv --quiet && cmp one.csv two.csv
model Link
  import Rubato.Planar.*;
  parameter Real start = 0;
  FlangeTo to;
  FlangeOn on;
  Revolute j(phi(start = start));
  Translation rod(r = {0.3, -0.7});
  Body body(m = 0.4, I = 0.02);
equation
  connect(to, j.to);
  connect(j.on, rod.to);
  connect(rod.on, body.to);
  connect(rod.on, on);
end Link;
model Forest
  parameter Integer n = 4;
  parameter Real wide = 0;
  Rubato.Planar.Fixed fixed;
  Link upper[n](start = {0.001*k + (if k == 1 then wide else 0) for k in 1:n});
  Link lower[n];
equation
  for k in 1:n loop
    connect(fixed.on, upper[k].to);
    connect(upper[k].on, lower[k].to);
  end for;
end Forest;
