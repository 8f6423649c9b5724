// Families by implicit methods and by those with error control: the Jacobian has one block for each instance.
//! command simulate Rubato.Planar.Examples.CraneCrabs --components --set N=200 --instances 7 --stop 1 --interval 1 --method esdirk23 --tolerance 1e-9 --output -
//! near crab[7].prismatic.s(1) = -0.2843200203832 within 1e-6
//! near crab[7].revolute.phi(1) = -1.792965015297 within 1e-6
//! check {rubato} simulate Rubato.Planar.Examples.CraneCrabs --set N=1 --stop 0.5 --interval 0.5 --fixed-step 0.01 --method impl_euler --output one.csv --quiet && {rubato} simulate Rubato.Planar.Examples.CraneCrabs --components --set N=130 --instances 130 --stop 0.5 --interval 0.5 --fixed-step 0.01 --method impl_euler --output many.csv --quiet && {dir}/agree.py one.csv many.csv 1e-6
//! check {rubato} simulate Rubato.Planar.Examples.CraneCrabs --set N=1 --stop 1 --interval 0.5 --tolerance 1e-10 --output one.csv --quiet && {rubato} simulate Rubato.Planar.Examples.CraneCrabs --components --set N=3 --stop 1 --interval 0.5 --tolerance 1e-10 --output many.csv --quiet && {dir}/agree.py one.csv many.csv 1e-6
//! check {rubato} simulate Rubato.Planar.Examples.CraneCrabs --set N=1 --stop 1 --interval 0.5 --tolerance 1e-10 --output one.csv --quiet && {rubato} simulate Rubato.Planar.Examples.CraneCrabs --components --set N=3 --stop 1 --interval 0.5 --tolerance 1e-10 --method radauIIA3 --output many.csv --quiet && {dir}/agree.py one.csv many.csv 1e-6
//! long
