// An array of mechanisms is translated once and computed in one loop: certified values of the
// classical method with steps of 1 ms, all variables of the instances that are recorded.
//! command simulate Rubato.Planar.Examples.CraneCrabs --components --set N=1000 --stop 10 --interval 0.5 --fixed-step 1e-3 --output -
//! near crab[1].prismatic.s(1) = -0.28432002038332 within 3e-12
//! near crab[1000].revolute.phi(1) = -1.7929650152958 within 3e-12
//! near crab[1].prismatic.s(10) = -0.12670402653636 within 3e-12
//! near crab[1000].revolute.phi(10) = -0.26857529339542 within 3e-12
//! near crab[1000].body2.to.v[1](0) = 0 within 0
//! near crab[1000].rod.on.r[2](0) = 1.5 within 0
//! stat steps_accepted = 10000
//! stat state_steps = 10000 * 4 * 1000
//! stat rows < 60
//! same-as --threads 2
//! check {rubato} simulate Rubato.Planar.Examples.CraneCrabs --components --tier 0 --stop 1 --interval 1 --fixed-step 1e-3 --output t.csv --quiet --variables "^crab.16.*prismatic.s$" && tail -1 t.csv | grep -q "^1,-0.28432002038"
