// Trolleys with a hanging rod, each a mechanism of its own (`Rubato.Planar`). Look at crab[1].prismatic.s, the trolley,
// and crab[1].revolute.phi, the rod. Try `--components --set N=100000 --fixed-step 1e-3 --stop 0.1`: the class is
// translated once, whatever N is, and needs only the memory of its states.
model CraneCrabs "Equal mechanisms, translated one by one or once for all"
  parameter Integer N = 4 "How many";
  Rubato.Planar.Examples.CraneCrab crab[N];
  annotation(experiment(StopTime = 5, Interval = 0.01));
end CraneCrabs;
