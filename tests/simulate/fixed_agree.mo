// Fixed start values that agree are warned of with both places, and the run goes on: of aliases
// whose start values are parameters, of a constraint, beside an initial equation.
//! command simulate {file} --model M --stop 1 --intervals 1 --output -
//! warning D121 16:8
//! message 15:8: note: one of them is the fixed start value of 'a'
//! warning D121 17:8
//! warning D121 19:8
//! message 21:3: note: one of them is this initial equation
//! near a(1) = 0.7357589 within 1e-5
//! near w(0) = 1 within 1e-12
//! same-as --set p=2
//! check {rubato} simulate {file} --model M --stop 1 --set p=2.5 --output {tmp}/x.csv 2>&1 | grep -q "16:8: error R107: .*of 'b' does not hold: the fixed start value of 'a' (.*15:8) determines another value"
model M
  parameter Real p = 2, q = 2;
  Real a(start = p, fixed = true);
  Real b(start = q, fixed = true);
  Real c(start = 4, fixed = true);
  Real u(start = 1);
  Real w(start = 1, fixed = true);
initial equation
  u = 1;
equation
  der(a) = -a;
  b = a;
  c = 2*a + 0*time;
  der(u) = 1;
  w = u^3;
end M;
