// What drives a state comes and goes between two points of the integrator, ten thousand times shorter than the run: stages
// see nothing of it, its formula tells where it is. All methods gave 0, or what the edge of a stage had met.
//! command simulate {file} --output - --quiet
//! near q(10) = 0.0017724538509055 within 2e-6
//! near p(10) = 0.003151822504443509 within 4e-6
//! check for w in 0.005 0.0003; do for m in auto tsit5 dopri5 verner7 radauIIA3 rodas5p esdirk4 'dopri5 --rates 2' 'rodas5p --rates auto' 'bs3 --rates 2 --tolerance 1e-6' 'bs3 --rates 2 --tolerance 1e-9'; do {rubato} simulate {file} --set w=$w --method $m --quiet --output r.csv || exit 1; python3 -c "import csv,math;q=float(list(csv.DictReader(open('r.csv')))[-1]['q']);e=$w*math.sqrt(math.pi);assert abs(q-e)<2e-5+2e-3*e,('$m',$w,q,e)" || exit 1; done; done
model pulse_hidden
  parameter Real w = 0.001 "width";
  Real x(start = 0, fixed = true) "slow", q(start = 0, fixed = true), p(start = 0, fixed = true), u, s;
equation
  10*der(x) = 1 - x;
  der(q) = exp(-((time - 5.137)/w)^2);
  u = (time - 6.13)/w;
  3*s = 2*s + exp(-u^2);
  der(p) = s*(2 + 0.5*sin(3*time)) - 0*x;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6));
end pulse_hidden;
