// A hysteresis that is far too small: time creeps by 0.2 microseconds an event. That is chattering, with levels as
// without. A carrier that switches something slow as often is none: its relation goes far from its border.
//! command simulate {file} --model Creeping --rates 2 --output -
//! exit 3
//! error R104 14:3
//! message events follow each other without end; a relation switches back and forth
//! check for r in 1 2 auto; do {rubato} simulate {file} --model Creeping --rates $r --output r.csv 2> words; test $? = 3 && grep -q "failed at time 0.000199.*events follow each other without end" words || { cat words; exit 1; }; done
//! check for r in 1 2; do {rubato} simulate {file} --model Carrier --rates $r --output r.csv --quiet --intervals 1 --stats s.json || exit 1; tail -1 r.csv | grep -q '^0.0002' || exit 1; done
model Creeping
  Real x(start = 0.5, fixed = true), slow[6](each start = 1, each fixed = true);
  Boolean on(start = true, fixed = true);
equation
  der(x) = if on then 1 else -1;
  on = if pre(on) then x < 0.5 + 1e-7 else x < 0.5 - 1e-7;
  der(slow) = -0.1*slow;
  annotation(experiment(StopTime = 10));
end Creeping;
model Carrier
  Real c(start = 0, fixed = true), x(start = 0, fixed = true), slow[6](each start = 1, each fixed = true);
equation
  der(c) = 3e7;
  der(x) = if sin(c) > 0.5 then 1e-6 else 0;
  der(slow) = -0.1*slow;
  annotation(experiment(StopTime = 2e-4));
end Carrier;
//! long
