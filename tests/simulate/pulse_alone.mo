// A smooth pulse of an input of one per cent of the run, while nothing else moves or all else is slow: no stage of a long
// step sees it. All our methods gave 0 for its integral.
//! command simulate {file} --output - --quiet
//! near q(10) = 0.1772453850905516 within 1e-5
//! check for x in 0 1; do for w in 0.1 0.2 0.5; do for m in auto tsit5 dopri5 verner7 radauIIA3 rodas5p esdirk4; do {rubato} simulate {file} --set rate=$x --set w=$w --method $m --quiet --output r.csv || exit 1; python3 -c "import csv,math;q=float(list(csv.DictReader(open('r.csv')))[-1]['q']);e=$w*math.sqrt(math.pi);assert abs(q-e)<1e-4*e,('$m',$w,$x,q,e)" || exit 1; done; done; done
model pulse_alone
  parameter Real w = 0.1 "width", rate = 0;
  Real q(start = 0, fixed = true), x(start = 0, fixed = true);
equation
  der(q) = exp(-((time - 5.137)/w)^2);
  10*der(x) = rate*(1 - x);
  annotation(experiment(StopTime = 10, Tolerance = 1e-6));
end pulse_alone;
//! long
