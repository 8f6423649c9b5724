// What families cannot do is said.
//! command simulate Rubato.Planar.Examples.CraneCrabs --components --rates auto --output -
//! exit 2
//! message families of components have one rate, not --rates
//! check {rubato} simulate Rubato.Planar.Examples.CraneCrabs --components --instances 17 --output x.csv 2>&1 | grep -q "instances '17': these are no numbers of instances"
//! check {rubato} simulate Rubato.Planar.Examples.CraneCrabs --components --instances 1,x --output x.csv 2>&1 | grep -q "instances '1,x': these are no numbers of instances"
//! check {rubato} simulate Rubato.Planar.Examples.CraneCrab --instances 1 --output x.csv 2>&1 | grep -q "instances '1' needs --components"
