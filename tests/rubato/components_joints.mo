// A branched mechanism of eight joints: the linear system of each instance is solved by elimination.
// The same values as without --components.
//! command simulate {file} --model Many --components --set n=200 --instances 200 --interval 1e-3 --fixed-step 1e-3 --stop 0.5 --output -
//! check {rubato} simulate {file} --model Many --set n=1 --tolerance 1e-11 --stop 0.5 --intervals 1 --output one.csv --quiet && {rubato} simulate {file} --model Many --components --set n=200 --instances 200 --interval 1e-3 --fixed-step 1e-3 --stop 0.5 --output many.csv --quiet && {dir}/agree.py one.csv many.csv 1e-9
//! near tree[200].c[4].j.phi(0) = 0.4 within 1e-15
model Link
  import Rubato.Planar.*;
  FlangeTo to;
  FlangeOn on;
  Revolute j(d = 0.1);
  Translation rod(r = {0.3, -0.7});
  Body body(m = 0.4, I = 0.02);
equation
  connect(to, j.to);
  connect(j.on, rod.to);
  connect(rod.on, body.to);
  connect(rod.on, on);
end Link;
model Tree
  import Rubato.Planar.*;
  Fixed fixed;
  Prismatic p(c = 3);
  Body body;
  Link a, b, c[4](j(phi(start = {0.1, 0.2, 0.3, 0.4}))), d;
  Force f(u = {0.3, 0.1});
  Torque t(u = 0.02);
equation
  connect(fixed.on, p.to);
  connect(p.on, body.to);
  connect(p.on, a.to);
  connect(a.on, b.to);
  connect(a.on, c[1].to);
  for k in 1:3 loop
    connect(c[k].on, c[k + 1].to);
  end for;
  connect(c[2].on, d.to);
  connect(b.on, f.to);
  connect(d.on, t.to);
end Tree;
model Many
  parameter Integer n = 1;
  Tree tree[n];
end Many;
//! long
