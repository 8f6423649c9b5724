// Crossings that rest for nearly the whole run: functions of time and of states whose pulses are ten thousand times shorter
// than it. Values between two points of the integrator say nothing of them, their formulas do: none was found before.
//! command simulate {file} --intervals 1 --output -
//! near n[1](10) = 1 within 0
//! near n[2](10) = 2 within 0
//! near n[3](10) = 31 within 0
//! near n[4](10) = 1 within 0
//! near n[5](10) = 1 within 0
//! near n[6](10) = 1 within 0
//! near n[7](10) = 1 within 0
//! near n[8](10) = 1 within 0
//! near n[9](10) = 2 within 0
//! check for c in '--method rodas5p' '--method verner7 --tolerance 1e-9' '--method radauIIA3' '--method bs3 --tolerance 1e-3' '--solver cvode' '--solver ida' '--rates auto' '--tier 1'; do {rubato} simulate {file} $c --quiet --intervals 1 --variables 'n.*' --output r.csv || exit 1; tail -1 r.csv | grep -q '^10,1,2,31,1,1,1,1,1,2' || { echo $c; tail -1 r.csv; exit 1; }; done
model pulses
  parameter Real w = 0.001 "width";
  Real x(start = 0, fixed = true) "slow", phi(start = 0, fixed = true), s, u;
  discrete Integer n[9](each start = 0, each fixed = true);
equation
  10*der(x) = 1 - x;
  der(phi) = 10;
  s = (phi - 43.21)/(10*w);
  2*u = 1/(1 + s^2) + u;
  when exp(-((time - 6.13)/w)^2) > 0.5 then
    n[1] = pre(n[1]) + 1;
  end when;
  when (time - 2.5)^2*(time - 7.3)^2 < w^2 then
    n[2] = pre(n[2]) + 1;
  end when;
  when exp(-(sin(phi)/w)^2) > 0.5 then
    n[3] = pre(n[3]) + 1;
  end when;
  when u > 0.5 then
    n[4] = pre(n[4]) + 1;
  end when;
  when w > abs(x - 0.3) then
    n[5] = pre(n[5]) + 1;
  end when;
  when max(0, 1 - abs(phi - 71.3)/w) > 0.5 then
    n[6] = pre(n[6]) + 1;
  end when;
  when integer(1 + 2*exp(-((time - 3.3)/w)^2)) > 1 then
    n[7] = pre(n[7]) + 1;
  end when;
  when tanh((phi - 20)/w)*tanh((phi - 20 - w)/w) < -0.05 then
    n[8] = pre(n[8]) + 1;
  end when;
  when sqrt(1 + (x - 0.1)^2*(x - 0.5)^2) < 1 + 0.1*w^2 then
    n[9] = pre(n[9]) + 1;
  end when;
  annotation(experiment(StopTime = 10));
end pulses;
