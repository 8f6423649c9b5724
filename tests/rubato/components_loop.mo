// A kinematic loop of four bars, closed by a stiff spring and a damper: its forces follow from positions and
// velocities, so the linear systems of both branches stay apart. The same as without --components.
//! command simulate {file} --model Many --components --set n=130 --instances 130 --stop 0.3 --interval 0.1 --fixed-step 1e-4 --output -
//! check {rubato} simulate {file} --model Many --set n=1 --stop 0.3 --interval 0.1 --fixed-step 1e-4 --method rk4 --output one.csv --quiet && {rubato} simulate {file} --model Many --components --set n=130 --instances 130 --stop 0.3 --interval 0.1 --fixed-step 1e-4 --output many.csv --quiet && {dir}/agree.py one.csv many.csv 1e-9
//! near bars[130].gap[1](0) = 0 within 1e-12
//! near bars[130].gap[1](0.3) = 0 within 1e-3
//! near bars[130].gap[2](0.3) = 0 within 1e-3
model Loop
  import Rubato.Planar.*;
  Fixed left, right(r = {2, 0});
  Revolute a, b, c;
  Translation crank(r = {0, 1}), coupler(r = {2, 0}), rocker(r = {0, 1});
  Body m1(m = 1), m2(m = 1), m3(m = 1);
  SpringDamper close(c = {1e4, 1e4}, d = {50, 50});
  Real gap[2] = close.b.r - close.a.r;
  Torque push(u = 5);
equation
  connect(left.on, a.to);
  connect(a.on, crank.to);
  connect(crank.on, m1.to);
  connect(crank.on, b.to);
  connect(a.on, push.to);
  connect(b.on, coupler.to);
  connect(coupler.on, m2.to);
  connect(right.on, c.to);
  connect(c.on, rocker.to);
  connect(rocker.on, m3.to);
  connect(coupler.on, close.a);
  connect(rocker.on, close.b);
end Loop;
model Many
  parameter Integer n = 1;
  Loop bars[n];
end Many;
