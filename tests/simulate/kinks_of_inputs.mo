// Inputs with kinks and jumps without events: steps end where they are. Errors were hundreds of tolerances with kinks, and
// the whole input where it is on for a moment only (der(q) = 1 for a hundredth of each second: never or always on).
//! command simulate {file} --intervals 100 --output -
//! near q[1](10) = 6.3929932 within 1e-5
//! near q[2](10) = 4.8371459 within 1e-5
//! near q[3](10) = 0.2981672 within 1e-5
//! near q[4](10) = 0.1 within 1e-5
//! near q[5](10) = 1.8713320 within 1e-5
//! near q[6](10) = 1.0799609 within 1e-5
//! stat events_state = 0
//! check for c in '--tolerance 1e-9' '--method dopri5' '--method bs3' '--method rodas5p' '--method radauIIA5' '--method radauIIA3' '--rates 2' '--solver cvode' '--tier 1' '--method verner7 --tolerance 1e-3'; do {rubato} simulate {file} $c --quiet --intervals 100 --output r.csv || { echo "$c"; exit 1; }; python3 -c "import csv, math, sys; c = sys.argv[1]; tol = 1e-9 if '1e-9' in c else 1e-3 if '1e-3' in c else 1e-6; f = lambda t: math.floor(t + 1e-9); n = lambda t: math.floor(5*t/math.pi); e = max(max(abs(float(l['q[1]']) - (2*n(t) + 1 - math.cos(5*t - math.pi*n(t)))/5), abs(float(l['q[4]']) - 0.01*f(t) - min(t - f(t), 0.01)))/tol for l in csv.DictReader(open('r.csv')) for t in [float(l['time'])]); assert e < (1000 if 'cvode' in c else 100), (c, e)" "$c" || exit 1; done
model kinks_of_inputs
  Real x(start = 0, fixed = true) "slow", q[6](each start = 0, each fixed = true), s = sin(3*time);
equation
  10*der(x) = 1 - x;
  der(q[1]) = noEvent(abs(sin(5*time)));
  der(q[2]) = noEvent(max(sin(20*time), 0.3));
  der(q[3]) = noEvent(if s > 0.999 then 2 else 0);
  der(q[4]) = noEvent(if mod(time, 1) < 0.01 then 1 else 0);
  der(q[5]) = noEvent(min(abs(sin(17*time)), 0.2));
  der(q[6]) = smooth(0, noEvent(if cos(13*time) > 0.5 then cos(13*time) - 0.5 else 0));
  annotation(experiment(StopTime = 10));
end kinks_of_inputs;
