// A chain of links that are joined by connects: one class is translated, the linear system is solved link by link.
// All variables of the first, the 17th and the last link are those of the ordinary path.
//! command simulate {file} --model Chain --components --set n=40 --stop 0.2 --interval 0.2 --output -
//! check {rubato} simulate {file} --model Chain --set n=40 --stop 0.2 --interval 0.2 --fixed-step 1e-3 --method rk4 --output one.csv --quiet && {rubato} simulate {file} --model Chain --components --set n=40 --instances 1,17,40 --stop 0.2 --interval 0.2 --fixed-step 1e-3 --method rk4 --output many.csv --quiet && {dir}/same.py one.csv many.csv 1e-10 200
//! check {rubato} simulate {file} --model Chain --set n=12 --stop 0.2 --interval 0.2 --tolerance 1e-11 --method dopri5 --output one.csv --quiet && {rubato} simulate {file} --model Chain --components --set n=12 --stop 0.2 --interval 0.2 --method esdirk4 --tolerance 1e-11 --output many.csv --quiet && {dir}/same.py one.csv many.csv 1e-7 100
//! near link[40].j.phi(0) = 0.05 within 1e-15
model Link
  import Rubato.Planar.*;
  FlangeTo to;
  FlangeOn on;
  Revolute j(d = 0.1, phi(start = 0.05));
  Translation rod(r = {0.3, -0.7});
  Body body(m = 0.4, I = 0.02);
equation
  connect(to, j.to);
  connect(j.on, rod.to);
  connect(rod.on, body.to);
  connect(rod.on, on);
end Link;
model Chain
  parameter Integer n = 10;
  Rubato.Planar.Fixed fixed(phi = 0.3);
  Link link[n];
equation
  connect(fixed.on, link[1].to);
  for k in 1:n - 1 loop
    connect(link[k].on, link[k + 1].to);
  end for;
end Chain;
