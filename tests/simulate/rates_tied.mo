// Two slow states tied to each other, one of which gets the pulses of a fast state. What the tie takes from one goes to
// the other: it does not damp their deviation. Damped by the diagonal, x was 457 tolerances off with rodas4.
//! command simulate {file} --rates 2 --method rodas4 --tolerance 1e-6 --stop 5 --output -
//! near x(5) = 0.00627556053 within 2e-6
//! check for m in rodas4 radauIIA3,rodas4 esdirk4; do for r in 2 3; do {rubato} simulate {file} --rates $r --method $m --tolerance 1e-6 --stop 5 --quiet --output r.csv --stats s.json || exit 1; python3 -c "import csv,json;x=float(list(csv.DictReader(open('r.csv')))[-1]['x']);assert abs(x-0.00627556053)<2e-6,x;l=json.load(open('s.json'))['levels'];assert l[0]['steps']<200<l[1]['steps'],l" || exit 1; done; done
model rates_tied
  parameter Real k = 1e5 "Tie";
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Real z(start = 0, fixed = true) "Pulses";
  Real s[20](each start = 1, each fixed = true) "Slow, for themselves";
equation
  der(x) = -k*(x - y) + 0.02*z;
  der(y) = -k*(y - x);
  der(z) = 2000*((0.5 + 0.5*sin(300*time))^20 - z);
  for i in 1:20 loop
    der(s[i]) = -0.1*i*s[i];
  end for;
end rates_tied;
//! long
