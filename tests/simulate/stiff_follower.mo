// A stiff component that follows an input is right at the stages of an implicit method, however long a step is. Inside
// steps its polynomial was wrong by more than its amplitude; the error there is controlled as well.
//! command simulate {file} --intervals 3333 --output -
//! near x(10) = 0.8623188722876839 within 1e-4
//! near x(5.0015) = 0.9687933189139101 within 1e-4
//! check for m in auto rodas4 rodas5p radauIIA3 radauIIA5 gauss3 esdirk4 esdirk5 trapezoid; do for t in 1e-3 1e-6; do {rubato} simulate {file} --method $m --tolerance $t --intervals 3333 --quiet --output r.csv || exit 1; python3 -c "import csv;e=max(abs(float(q['error'])) for q in csv.DictReader(open('r.csv')));assert e<200*$t,('$m','$t',e/$t)" || exit 1; done; done
//! check {rubato} simulate {file} --rates 2 --tolerance 1e-6 --intervals 3333 --quiet --output r.csv && python3 -c "import csv;e=max(abs(float(q['error'])) for q in csv.DictReader(open('r.csv')));assert e<2e-4,e"
model stiff_follower
  Real x(start = 1, fixed = true), slow(start = 0, fixed = true);
  Real error = x - cos(10*time);
equation
  der(x) = -1e6*(x - cos(10*time)) - 10*sin(10*time);
  10*der(slow) = 1 - slow;
  annotation(experiment(StopTime = 10));
end stiff_follower;
//! long
