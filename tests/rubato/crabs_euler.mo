// Explicit Euler and the midpoint rule on families, with the values of a separate program.
//! command simulate Rubato.Planar.Examples.CraneCrabs --components --set N=300 --instances 1,129,300 --method euler --stop 1 --interval 1e-3 --fixed-step 1e-3 --output -
//! near crab[1].prismatic.s(1) = -0.2877179571875 within 1e-12
//! near crab[129].revolute.phi(1) = -1.7885604329282 within 1e-12
//! near crab[300].revolute.w(1) = -4.3663474501603 within 1e-12
//! check {rubato} simulate Rubato.Planar.Examples.CraneCrabs --components --method midpoint --stop 10 --interval 1e-3 --fixed-step 1e-3 --output m.csv --variables 'crab.16.\.revolute\.phi$' && tail -1 m.csv | grep -q '^10,-0.268568721[01]'
