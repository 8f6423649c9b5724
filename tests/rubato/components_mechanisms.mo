// Implicit methods on several mechanisms made of parts: the Jacobian has a block for each of them, so its differences
// cost as many evaluations as the largest has states (6), not as many as there are states (14).
//! command simulate {file} --components --stop 0.5 --interval 0.5 --fixed-step 0.01 --method impl_euler --output -
//! check {rubato} simulate {file} --stop 0.5 --interval 0.5 --fixed-step 0.01 --method impl_euler --output one.csv --quiet && {rubato} simulate {file} --components --stop 0.5 --interval 0.5 --fixed-step 0.01 --method impl_euler --output many.csv --quiet && {dir}/agree.py one.csv many.csv 1e-6
//! check {rubato} simulate {file} --stop 0.5 --interval 0.5 --tolerance 1e-9 --output one.csv --quiet && {rubato} simulate {file} --components --stop 0.5 --interval 0.5 --tolerance 1e-9 --method esdirk23 --output many.csv --quiet && {dir}/agree.py one.csv many.csv 1e-5
//! stat rhs_calls <= 150 + 7 * jacobians
//! near a[1].phi(0) = 0.1 within 1e-15
model Mechanisms
  import Rubato.Planar.*;
  Fixed f, g, h;
  Revolute a[3](each d = 0.1, phi(start = {0.1, 0.2, 0.3})), b(d = 0.2, phi(start = 0.4)), c(d = 0.1);
  Prismatic p(c = 5), q(e = {0, 1}, d = 1, c = 20);
  Translation ra[3](each r = {0.3, -0.7}), rb(r = {0.1, -0.7}), rc(r = {0.3, -0.2});
  Body ma[3](each m = 0.4), mb(m = 0.5), mc, mp, mq;
equation
  connect(f.on, a[1].to);
  connect(a.on, ra.to);
  connect(ra.on, ma.to);
  for k in 1:2 loop
    connect(ra[k].on, a[k + 1].to);
  end for;
  connect(g.on, p.to);
  connect(p.on, mp.to);
  connect(p.on, b.to);
  connect(b.on, rb.to);
  connect(rb.on, mb.to);
  connect(h.on, q.to);
  connect(q.on, mq.to);
  connect(q.on, c.to);
  connect(c.on, rc.to);
  connect(rc.on, mc.to);
end Mechanisms;
