// Two states come to borders at the same time, but for rounding. The event of two relations of w was the end of that of u:
// floor(u) stayed 1 until the end of the run.
//! command simulate {file} --rates auto --output -
//! near m(4.5) = 0.5 within 1e-9
//! near k(4.5) = 0.5 within 1e-9
//! near d(4.5) = 0 within 0
//! check for c in '' '--rates 2' '--method dopri5 --rates auto' '--method rodas5p --rates auto'; do {rubato} simulate {file} $c --quiet --interval 0.0371 --output r.csv || exit 1; python3 -c "import csv;[exit('$c %s' % r) for r in csv.DictReader(open('r.csv')) for t in [float(r['time'])] if abs(t - round(t)) > 1e-9 and (abs(float(r['m']) - t % 1) > 1e-9 or float(r['d']) != (5 - t)//1)]" || exit 1; done
model rates_coincide
  Real u(start = 0, fixed = true), w(start = 5, fixed = true), m, k, d;
equation
  der(u) = 1;
  der(w) = -1;
  m = mod(u, 1.0);
  k = mod(w, 1.0);
  d = div(w, 1.0);
  annotation(experiment(StopTime = 4.5));
end rates_coincide;
