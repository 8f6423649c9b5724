// What families cannot do is said.
//! command simulate Rubato.Planar.Examples.CraneCrabs --components --method radauIIA3 --output -
//! exit 2
//! message families of components step by an explicit method, not by 'radauIIA3'
//! check {rubato} simulate Rubato.Planar.Examples.CraneCrabs --components --solver cvode --output x.csv 2>&1 | grep -q 'families of components step by --solver rk'
//! check {rubato} simulate Rubato.Planar.Examples.CraneCrabs --components --rates auto --output x.csv 2>&1 | grep -q 'families of components have one rate'
//! check {rubato} simulate Rubato.Planar.Examples.CraneCrabs --components --stop 0.1 --save-state x.state --output x.csv 2>&1 | grep -q 'the state of families of components cannot be saved'
//! check {rubato} simulate Rubato.Planar.Examples.CraneCrabs --components --instances 17 --output x.csv 2>&1 | grep -q "instances '17': these are no numbers of instances"
//! check {rubato} simulate Rubato.Planar.Examples.CraneCrabs --components --instances 1,x --output x.csv 2>&1 | grep -q "instances '1,x': these are no numbers of instances"
//! check {rubato} simulate Rubato.Planar.Examples.CraneCrab --instances 1 --output x.csv 2>&1 | grep -q "instances '1' needs --components"
