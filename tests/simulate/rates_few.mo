// Six thermostats: a small step of one of them would cost as much as a step of all. With --rates auto the choice is
// made before anything runs, and no code for parts is made: the same result by the same work as with one rate.
//! command simulate {file} --rates auto --output -
//! same-as --rates 1
//! stat factorizations = 0
//! stat selection_changes <= 1
//! check for r in 1 auto; do {rubato} simulate {file} --rates $r --quiet --output r.csv --stats $r.json || exit 1; done; python3 -c "import json;a,b=(json.load(open(f+'.json')) for f in ('auto','1'));assert all(a[k]==b[k] for k in ('rhs_rows','crossing_rows','state_steps')),(a,b)"
model Few
  Real T[6](start = {20.1, 20.2, 20.3, 20.4, 20.5, 20.6}, each fixed = true);
  Boolean on[6](each start = true, each fixed = true);
equation
  for i in 1:6 loop
    der(T[i]) = (if on[i] then 1.0 + 0.1*i else -1.0);
    on[i] = T[i] < 20 or pre(on[i]) and T[i] < 21;
  end for;
  annotation(experiment(StopTime = 20, Tolerance = 1e-6));
end Few;
