// Crossings that rest for nearly the whole run, as in pulses.mo: relations that a condition protects from being evaluated,
// and borders of mod, div, rem and sign. Their formulas were not looked at, and most of these pulses were passed over.
//! command simulate {file} --intervals 1 --output -
//! near n[1](10) = 43 within 0
//! near n[2](10) = 1 within 0
//! near n[3](10) = 2 within 0
//! near n[4](10) = 1 within 0
//! near n[5](10) = 2 within 0
//! near n[6](10) = 1 within 0
//! near n[7](10) = 1 within 0
//! check for c in '--method rodas5p' '--method verner7 --tolerance 1e-9' '--method radauIIA3' '--method bs3 --tolerance 1e-3' '--solver cvode' '--solver ida' '--rates auto' '--tier 1'; do {rubato} simulate {file} $c --quiet --intervals 1 --variables 'n.*' --output r.csv || exit 1; tail -1 r.csv | grep -q '^10,43,1,2,1,2,1,1$' || { echo $c; tail -1 r.csv; exit 1; }; done
model pulses_guarded
  Real x(start = 0, fixed = true) "slow", phi(start = 0, fixed = true);
  Real m, d, r, s;
  discrete Integer n[7](each start = 0, each fixed = true);
equation
  10*der(x) = 1 - x;
  der(phi) = 10;
  m = mod(0.3 + exp(-((time - 6)/0.001)^2), 1);
  d = div(0.3 + exp(-((x - 0.3)/0.0001)^2), 1);
  r = rem(-0.3 - exp(-((x - 0.2)/0.0001)^2), 1);
  s = sign(exp(-((phi - 31.7)/0.001)^2) - 0.5);
  when if time > 1 then sin(300/time) > 0.99 else false then
    n[1] = pre(n[1]) + 1;
  end when;
  when x > 0.1 and log(x) > -1 and exp(-((log(x) + 0.7)/0.0001)^2) > 0.5 then
    n[2] = pre(n[2]) + 1;
  end when;
  when m < 0.25 then
    n[3] = pre(n[3]) + 1;
  end when;
  when d > 0.5 then
    n[4] = pre(n[4]) + 1;
  end when;
  when r > -0.29 then
    n[5] = pre(n[5]) + 1;
  end when;
  when s > 0 then
    n[6] = pre(n[6]) + 1;
  end when;
  when (if phi > 20 then exp(-((sqrt(phi - 20) - 3)/0.001)^2) > 0.5 else false) then
    n[7] = pre(n[7]) + 1;
  end when;
  annotation(experiment(StopTime = 10));
end pulses_guarded;
