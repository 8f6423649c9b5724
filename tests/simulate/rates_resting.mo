// Relations that rest on their border have the sign of their rounding errors: that is no event, with
// several rates as with one. Sawteeth keep their states busy.
// undetermined: errors of other integrators, which are above rounding, decide on which side of the border x + y is.
//! command simulate {file} --rates 3 --tier 0 --tolerance 1e-6 --output - --stats {tmp}/s
//! near s[1](10) = 0.7194264699231242 within 1e-4
//! check for r in 2 3 auto; do {rubato} simulate {file} --rates $r --tier 0 --tolerance 1e-6 --quiet --output x.csv --stats $r.json || exit 1; done
//! check python3 -c "import json;n=[json.load(open(r+'.json'))['events_state'] for r in ('2','3','auto')];assert n==[73,73,73],n"
model rates_resting
  parameter Integer N = 12;
  Real x[N](start = {0.3 + 0.01*i for i in 1:N}, each fixed = true);
  Real y[N](start = {0.7 - 0.01*i for i in 1:N}, each fixed = true) "1 - x";
  Real s[N](start = {mod(0.37*i, 1) for i in 1:N}, each fixed = true);
  Boolean b[N](each start = false, each fixed = true);
  Integer n[N](each start = 0, each fixed = true);
equation
  for i in 1:N loop
    der(x[i]) = (1 + 0.1*i)*sin((5 + i)*time);
    der(y[i]) = -(1 + 0.1*i)*sin((5 + i)*time) + (if n[i] > 100 then 1 else 0);
    b[i] = x[i] + y[i] > 1;
    der(s[i]) = 0.4 + 0.03*i + 0.01*x[i];
    when s[i] > 1 then
      reinit(s[i], 0);
    end when;
    when b[i] then
      n[i] = pre(n[i]) + 1;
    end when;
  end for;
  annotation(experiment(StopTime = 10));
end rates_resting;
