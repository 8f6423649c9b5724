// A trolley with a rod that falls: the trajectory and both integrals of the motion, certified by
// extrapolation with 30 digits. The library is found beside the program.
//! command simulate {file} --model Test --tolerance 1e-11 --output -
//! near crab.prismatic.s(0.1) = -0.006649272646712 within 2e-10
//! near crab.revolute.w(0.1) = -0.2680017713501 within 2e-10
//! near crab.prismatic.s(1) = -0.2843200203832 within 2e-10
//! near crab.prismatic.v(1) = 1.193114249420 within 2e-9
//! near crab.revolute.phi(1) = -1.792965015297 within 2e-10
//! near crab.revolute.w(1) = -4.374498755040 within 2e-9
//! near kinetic(2) = 0.7130230106566 within 2e-9
//! near potential(2) = 6.644476989343 within 2e-9
//! near crab.prismatic.s(10) = -0.1267040265310 within 2e-9
//! near crab.revolute.phi(10) = -0.2685752933845 within 2e-9
//! near kinetic(10) = 0.9145575547743 within 1e-8
//! near energy(10) = 7.3575 within 1e-9
//! near momentum(10) = 0 within 1e-9
//! near centre(10) = 0.25 within 1e-9
model Test
  Rubato.Planar.Examples.CraneCrab crab;
  Real kinetic = 0.5*crab.body1.m*v1*v1 + 0.5*crab.body2.m*(crab.body2.to.v*crab.body2.to.v) +
    0.5*crab.body2.I*crab.body2.to.w^2;
  Real potential = 9.81*crab.body2.m*crab.body2.to.r[2];
  Real energy = kinetic + potential;
  Real momentum = crab.body1.m*v1 + crab.body2.m*crab.body2.to.v[1];
  Real centre = crab.body1.m*crab.body1.to.r[1] + crab.body2.m*crab.body2.to.r[1];
protected
  Real v1 = crab.body1.to.v[1];
  annotation(experiment(StopTime = 10, Interval = 0.1));
end Test;
