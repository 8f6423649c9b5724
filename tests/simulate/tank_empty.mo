// Tanks run empty, der(h) = -k*sqrt(h), with any method: no step meets h = 0, beyond which there is no value. A state that
// is zero to within its tolerance, and rests there, is made zero; later inflow fills it again.
//! command simulate {file} --intervals 240 --output -
//! near h[1](1) = 0.25 within 1e-5
//! near h[1](5) = 0 within 1e-12
//! near h[2](12) = 0 within 1e-12
//! near h[3](12) = 0 within 1e-12
//! near h[3](3) = 0.0025 within 1e-5
//! near h[1](7) = 0.176991 within 1e-5
//! near a(12) = 0 within 1e-12
//! check for c in '' '--tolerance 1e-3' '--tolerance 1e-9' '--method dopri5' '--method rodas5p' '--method radauIIA3' '--method esdirk4' '--method bs3' '--rates auto' '--solver cvode' '--solver ida' '--tier 1' '--fixed-step 0.01 --method rk4'; do {rubato} simulate {file} $c --quiet --intervals 240 --output r.csv || { echo "$c"; exit 1; }; python3 -c "import csv; r = list(csv.DictReader(open('r.csv'))); e = max(max(abs(float(l['h[2]']) - max(0.5 - float(l['time'])/2, 0)**2), abs(float(l['h[3]']) - max(0.2 - 0.05*float(l['time']), 0)**2)) for l in r); assert e < 2e-3 and float(r[-1]['h[1]']) == 0, e" || { echo "$c"; exit 1; }; done
model tank_empty
  parameter Real k = 1;
  Real h[3](start = {1, 0.25, 0.04}, each fixed = true), q[3], a(start = 1, fixed = true), again;
equation
  q = k*sqrt(h);
  der(h[1]) = (if time > 6 and time < 7 then 0.5 else 0) - q[1];
  der(h[2]) = -q[2];
  der(h[3]) = -0.1*h[3]^0.5;
  der(a) = -sqrt(a)/(1 + 0.1*sin(time));
  again = sqrt(2*h[1]);
  annotation(experiment(StopTime = 12));
end tank_empty;
