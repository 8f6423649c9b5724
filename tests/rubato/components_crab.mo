// The trolley with a rod, component by component: as a family and as a network of parts the trajectory of an
// extrapolation with 30 digits and the integrals of the motion; damped, the values of an independent program.
//! command simulate {file} --model Fleet --components --tolerance 1e-11 --method dopri5 --stop 10 --interval 0.1 --output -
//! near crab[3].prismatic.s(0.1) = -0.006649272646712 within 2e-10
//! near crab[3].revolute.w(0.1) = -0.2680017713501 within 2e-10
//! near crab[3].prismatic.s(1) = -0.2843200203832 within 2e-10
//! near crab[3].prismatic.v(1) = 1.193114249420 within 2e-9
//! near crab[3].revolute.phi(1) = -1.792965015297 within 2e-10
//! near crab[3].prismatic.s(2) = 0.4384852871421 within 2e-9
//! near crab[3].revolute.phi(5) = -0.06294682482055 within 2e-9
//! near crab[3].prismatic.s(10) = -0.1267040265310 within 2e-9
//! near crab[3].revolute.phi(10) = -0.2685752933845 within 2e-9
//! near crab[3].energy(10) = 7.3575 within 1e-9
//! near crab[3].momentum(10) = 0 within 1e-9
//! near crab[1].centre(10) = 0.25 within 1e-9
//! check {rubato} simulate {file} --model Observed --components --tolerance 1e-11 --method dopri5 --stop 10 --interval 10 --output n.csv --quiet && python3 -c "import csv; r = {k: float(v) for k, v in list(csv.DictReader(open('n.csv')))[-1].items()}; assert abs(r['prismatic.s'] + 0.1267040265310) < 2e-9 and abs(r['energy'] - 7.3575) < 1e-9 and abs(r['momentum']) < 1e-9 and abs(r['centre'] - 0.25) < 1e-9, r"
//! check {rubato} simulate {file} --model Damped --components --tolerance 1e-11 --method dopri5 --stop 10 --interval 1 --output n.csv --quiet && python3 -c "import csv; p = list(csv.DictReader(open('n.csv'))); at = lambda t, k: float(p[t][k]); assert max(abs(at(1, 'prismatic.s') - 0.20165350921), abs(at(1, 'revolute.phi') + 0.26576374106), abs(at(2, 'revolute.phi') + 1.3472816592), abs(at(10, 'prismatic.s') + 0.022499763607), abs(at(10, 'revolute.phi') - 0.63438280548)) < 1e-9"
//! long
model Observed
  extends Rubato.Planar.Examples.CraneCrab;
  Real energy = 0.5*body1.m*body1.to.v[1]^2 + 0.5*body2.m*(body2.to.v*body2.to.v) + 0.5*body2.I*body2.to.w^2 +
    9.81*body2.m*body2.to.r[2];
  Real momentum = body1.m*body1.to.v[1] + body2.m*body2.to.v[1];
  Real centre = body1.m*body1.to.r[1] + body2.m*body2.to.r[1];
end Observed;
model Fleet
  Observed crab[3];
end Fleet;
model Damped
  import Rubato.Planar.*;
  Fixed fixed;
  Prismatic prismatic(e = {1, 0}, d = 10);
  Body body1(m = 1, I = 0.1);
  Revolute revolute(phi(start = 2.6179938779915));
  Translation rod(r = {0, -1});
  Body body2(m = 0.5, I = 0.1);
equation
  connect(fixed.on, prismatic.to);
  connect(prismatic.on, body1.to);
  connect(prismatic.on, revolute.to);
  connect(revolute.on, rod.to);
  connect(rod.on, body2.to);
end Damped;
