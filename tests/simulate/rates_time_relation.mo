// The carrier of a pulse width modulation is a function of time alone: its relations concern no state, and steps of
// states at rest must not pass over them, with levels as without.
// 50 borders of mod up to the end, which are time events, and 9 crossings of the carrier: none at the start, where mod
// begins on a border.
//! command simulate {file} --rates 2 --stop 0.05 --intervals 1 --output -
//! near x(0.05) = 0.0494923476 within 1e-8
//! check for r in 1 2 auto; do {rubato} simulate {file} --rates $r --stop 0.05 --quiet --output r.csv --stats s.json || exit 1; grep -q '"events_time":50,"events_state":9,' s.json || { cat s.json; exit 1; }; done
model rates_time_relation
  Real e(start = 0.3, fixed = true) "Control";
  Real x(start = 0, fixed = true) "Time for which it was on";
  Real y[6](each start = 1, each fixed = true);
  Real carrier = abs(2*mod(time*1000, 1) - 1);
  Boolean on;
equation
  on = 0.48 + e > carrier;
  der(e) = 48;
  der(x) = if on then 1 else 0;
  der(y) = -y;
end rates_time_relation;
