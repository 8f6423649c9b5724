// Components of equal structure are one family, wherever they are declared, as arrays or alone, and whatever their
// classes are called. Values and names are those of each declaration; so is what --set changes.
//! command simulate {file} --model M --components --stop 1 --interval 0.5 --fixed-step 1e-3 --method rk4 --output -
//! check {rubato} structure {file} --model M --components | grep 'family a, b, g.one and 2 more: 5 instances, .*parameters differ'
//! check {rubato} structure {file} --model M --components | grep 'family d, m: 11 instances, .* 32 bytes an instance$'
//! check {rubato} structure {file} --model M --components | grep 'family e, f: 3 instances'
//! check {rubato} simulate {file} --model M --stop 1 --interval 0.5 --fixed-step 1e-3 --method rk4 --output one.csv --quiet && {rubato} simulate {file} --model M --components --stop 1 --interval 0.5 --fixed-step 1e-3 --method rk4 --output many.csv --quiet && {dir}/same.py one.csv many.csv 1e-9 1500
//! check {rubato} simulate {file} --model M --stop 1 --interval 0.5 --fixed-step 1e-3 --method rk4 --set b.L=1 --set h.joint.phi=0.7 --set a.joint.d=1 --output one.csv --quiet && {rubato} simulate {file} --model M --components --stop 1 --interval 0.5 --fixed-step 1e-3 --method rk4 --set b.L=1 --set h.joint.phi=0.7 --set a.joint.d=1 --output many.csv --quiet && {dir}/same.py one.csv many.csv 1e-9 1500
//! check {rubato} simulate {file} --model M --components --stop 0 --interval 0.5 --fixed-step 1e-3 --instances 2 --variables '^[a-h].*joint.phi$' --output two.csv --quiet && head -1 two.csv | tr -d '"' | grep -x 'time,a.joint.phi,b.joint.phi,g.one.joint.phi,h.joint.phi,c\[2\].joint.phi,d\[1,2\].joint.phi,e.joint.phi,f\[2\].joint.phi,g.crab\[2\].joint.phi'
//! check {rubato} simulate {file} --model M --components --stop 0.5 --interval 0.5 --fixed-step 1e-3 --save-state half.state --output first.csv --quiet && {rubato} simulate {file} --model M --components --stop 1 --interval 0.5 --fixed-step 1e-3 --from-state half.state --output second.csv --quiet && {rubato} simulate {file} --model M --components --stop 1 --interval 0.5 --fixed-step 1e-3 --output all.csv --quiet && test "$(tail -1 second.csv)" = "$(tail -1 all.csv)"
//! near h.joint.phi(0) = -1 within 1e-15
//! near g.crab[3].L(1) = 1.2 within 1e-15
//! near k.joint.phi(0) = 0.3 within 1e-15
model Crab
  import Rubato.Planar.*;
  parameter Real L = 1.5;
  Fixed fixed;
  Prismatic slider(e = {1, 0}, d = 0.1);
  Revolute joint(phi(start = 0.2));
  Translation rod(r = {0.5, L});
  Body body1(m = 1, I = 0.1), body2(m = 0.5, I = 0.05);
equation
  connect(fixed.on, slider.to);
  connect(slider.on, body1.to);
  connect(slider.on, joint.to);
  connect(joint.on, rod.to);
  connect(rod.on, body2.to);
end Crab;
model Krebs "The same in another class"
  import Rubato.Planar.*;
  parameter Real L = 1.5;
  Fixed fixed;
  Prismatic slider(e = {1, 0}, d = 0.1);
  Revolute joint(phi(start = 0.3));
  Translation rod(r = {0.5, L});
  Body body1(m = 1, I = 0.1), body2(m = 0.5, I = 0.05);
equation
  connect(fixed.on, slider.to);
  connect(slider.on, body1.to);
  connect(slider.on, joint.to);
  connect(joint.on, rod.to);
  connect(rod.on, body2.to);
end Krebs;
model Other
  extends Crab;
  Rubato.Planar.Translation more(r = {0.1, 0.1});
  Rubato.Planar.Body third(m = 0.2);
equation
  connect(rod.on, more.to);
  connect(more.on, third.to);
end Other;
model Group
  Crab crab[3](L = {1.0, 1.1, 1.2});
  Krebs one;
end Group;
model M
  Crab a, b(L = 1.7), c[4](joint(phi(each start = 0.4)));
  Krebs d[2, 3], m[5];
  Other e, f[2];
  Group g;
  Krebs h(L = 1.1, joint(phi(start = -1))), k;
end M;
