// A branched mechanism of twelve joints whose parts are joined one by one, and a kinematic loop closed by a spring:
// the same as the ordinary path.
//! command simulate {file} --model Tree --components --stop 0.5 --interval 0.5 --output -
//! check {rubato} simulate {file} --model Tree --stop 0.5 --interval 0.5 --fixed-step 1e-3 --method rk4 --output one.csv --quiet && {rubato} simulate {file} --model Tree --components --stop 0.5 --interval 0.5 --fixed-step 1e-3 --method rk4 --output many.csv --quiet && {dir}/same.py one.csv many.csv 1e-9 400
//! check {rubato} simulate {file} --model Loop --stop 0.3 --interval 0.3 --fixed-step 1e-4 --method rk4 --output one.csv --quiet && {rubato} simulate {file} --model Loop --components --stop 0.3 --interval 0.3 --fixed-step 1e-4 --method rk4 --output many.csv --quiet && {dir}/same.py one.csv many.csv 1e-8 100
//! near c[4].phi(0) = 0.4 within 1e-15
model Tree
  import Rubato.Planar.*;
  Fixed fixed;
  Prismatic p(c = 3), q(e = {0, 1}, d = 1, c = 20);
  Revolute a(d = 0.1), b(d = 0.1), d(d = 0.2), e, f(c = 1), g;
  Revolute c[4](each d = 0.1, phi(start = {0.1, 0.2, 0.3, 0.4}));
  Translation ra(r = {0.3, -0.7}), rb(r = {0.1, -0.7}), rd(r = {0.3, -0.2}), re, rf, rg(r = {0.2, 0.2});
  Translation rc[4](each r = {0.3, -0.7});
  Rotation bend(alpha = 0.7);
  Body m, ma(m = 0.4), mb(m = 0.5), md, me, mf, mg, mq, mc[4](each m = 0.4);
  Force force(u = {0.3, 0.1});
  Torque torque(u = 0.02);
equation
  connect(fixed.on, p.to);
  connect(p.on, m.to);
  connect(p.on, a.to);
  connect(a.on, ra.to);
  connect(ra.on, ma.to);
  connect(ra.on, b.to);
  connect(b.on, rb.to);
  connect(rb.on, mb.to);
  connect(rb.on, force.to);
  connect(ra.on, c[1].to);
  connect(c.on, rc.to);
  connect(rc.on, mc.to);
  for k in 1:3 loop
    connect(rc[k].on, c[k + 1].to);
  end for;
  connect(rc[2].on, d.to);
  connect(d.on, bend.to);
  connect(bend.on, rd.to);
  connect(rd.on, md.to);
  connect(rd.on, torque.to);
  connect(p.on, q.to);
  connect(q.on, mq.to);
  connect(q.on, e.to);
  connect(e.on, re.to);
  connect(re.on, me.to);
  connect(re.on, f.to);
  connect(f.on, rf.to);
  connect(rf.on, mf.to);
  connect(re.on, g.to);
  connect(g.on, rg.to);
  connect(rg.on, mg.to);
end Tree;
model Loop
  import Rubato.Planar.*;
  Fixed left, right(r = {2, 0});
  Revolute a, b, c;
  Translation crank(r = {0, 1}), coupler(r = {2, 0}), rocker(r = {0, 1});
  Body m1(m = 1), m2(m = 1), m3(m = 1);
  SpringDamper close(c = {1e4, 1e4}, d = {50, 50});
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
//! long
