// Sections are compressed: reactions and powers that depend on accelerations, but that no state and no neighbour asks for,
// are no part of them. They are computed when the part is looked at, and what only they need joins no triplets: the two
// flanges of the gauge answer on their own, so no cut is needed.
//! command structure {file} --model Chain --components
//! check {rubato} structure {file} --model Chain --components | grep -q "family link: 4 instances, 2 states, linear systems of 1 unknowns at most, 536 bytes an instance, 2 equations aside, class 2"
//! check {rubato} structure {file} --model Chain --components | grep -A3 "family gauge: 3 instances, 0 states, .* bytes an instance, 3 equations aside" | grep -q "section 2: b, torn by 0"
//! check {rubato} simulate {file} --model Chain --stop 0.3 --interval 0.1 --fixed-step 1e-3 --method rk4 --output one.csv --quiet && {rubato} simulate {file} --model Chain --components --instances 1,2,3,4 --stop 0.3 --interval 0.1 --fixed-step 1e-3 --method rk4 --output many.csv --quiet && {dir}/same.py one.csv many.csv 1e-9 200
model Link
  import Rubato.Planar.*;
  FlangeTo to;
  FlangeOn on;
  Revolute j(d = 0.1, phi(start = 0.05));
  Translation rod(r = {0.3, -0.7});
  Body body(m = 0.4, I = 0.02);
  Real pull = sqrt(j.on.f*j.on.f) "Size of the reaction in the joint";
  Real power = rod.on.f*rod.on.v;
equation
  connect(to, j.to);
  connect(j.on, rod.to);
  connect(rod.on, body.to);
  connect(rod.on, on);
end Link;
model Gauge "Compares two accelerations"
  Rubato.Planar.FlangeTo a, b;
  Real apart[2] = der(b.v) - der(a.v);
  Real size = sqrt(apart*apart);
equation
  a.f = {0, 0};
  a.tau = 0;
  b.f = {0, 0};
  b.tau = 0;
end Gauge;
model Chain
  parameter Integer n = 4;
  Rubato.Planar.Fixed fixed;
  Link link[n];
  Gauge gauge[n - 1];
equation
  connect(fixed.on, link[1].to);
  for k in 1:n - 1 loop
    connect(link[k].on, link[k + 1].to);
  end for;
  connect(link[1:n - 1].on, gauge.a);
  connect(link[2:n].on, gauge.b);
end Chain;
