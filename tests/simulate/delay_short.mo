// Delays far shorter than the steps that the states would allow: what a step sees of itself is compared with what is
// known after it, and steps are as long as its error allows. Errors in tolerances, of a delayed sine that feeds a state
// and of a state that is fed back; the same for a flow that carries the sine through a pipe within a part of a step.
//! command simulate {file} --tolerance 1e-9 --output -
//! near worst(1) = 0 within 1e-7
//! near carried(1) = 0 within 1e-7
//! near jumped(1) = 0 within 1e-7
//! near back(1) = 0.19965588999638 within 1e-7
//! check for c in '--tolerance 1e-6' '--tolerance 1e-9 --method dopri5' '--tolerance 1e-9 --method rodas5p' '--tolerance 1e-6 --solver cvode' '--tolerance 1e-9 --set T=1e-6 --set w=100'; do {rubato} simulate {file} $c --quiet --output r.csv || exit 1; python3 -c "import csv, re; tol = float(re.search('1e-[69]', '$c').group()); e = max(max(abs(float(r[k])) for k in ('worst', 'jumped', 'carried')) for r in csv.DictReader(open('r.csv'))); assert e < 100*tol, ('$c', e/tol)" || exit 1; done
model delay_short
  parameter Real T = 5e-5, w = 300;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Real back(start = 0.1, fixed = true), p(start = 0, fixed = true);
  Real worst = y - (if time < T then 0 else (1 - cos(w*(time - T)))/w);
  Real s(start = 0, fixed = true), out(start = 0, fixed = true), left, right;
  Real carried = out - (if time < T then 0 else (1 - cos(w*(time - T)))/w);
  Real jumped = p - (if time < 0.3 + T then 0 else time - T - 0.3);
equation
  der(x) = cos(time);
  der(y) = delay(sin(w*time), T);
  der(back) = -50*(delay(back, T) - sin(3*time));
  der(p) = delay(if time > 0.3 then 1 else 0, T);
  der(s) = 1/T;
  (left, right) = spatialDistribution(sin(w*time), 0, s, true, {0, 1}, {0, 0});
  der(out) = right;
  annotation(experiment(StopTime = 1));
end delay_short;
//! long
