// Nonlinear equations that say the same twice leave something open: a warning. Where only one point is singular, or a
// relation switches something off, there is none; where the equations contradict each other, there is no solution.
//! command simulate {file} --model M --stop 1 --intervals 20 --output -
//! warning R105 15:3
//! message 2 equations for 'y', 'x' depend on each other: they have many solutions, and that with
//! near x(1) = 1.961926 within 1e-4
//! near y(1) = 1.019406 within 1e-4
//! check {rubato} simulate {file} --model M --stop 1 --set p=1 --output {tmp}/m.csv 2>&1 | grep -q "error R10[24]"
//! check {rubato} simulate {file} --model Rest --stop 1 --output {tmp}/r.csv --quiet > {tmp}/r.txt 2>&1 && ! grep warning {tmp}/r.txt && tail -1 {tmp}/r.csv | grep -q '^1,0.5,0.25'
model M "p: by how much the second equation contradicts the first"
  parameter Real p = 0;
  Real x(start = 2), y(start = 1);
equation
  x*y = 1 + time^2;
  (x*y)^2 = (1 + time^2)^2 + p;
end M;
model Rest "of which the Jacobian is singular at the start only"
  Real m(start = 0), q(start = 0);
equation
  m*abs(m) + q^3 = time^2*0.25 + time^6/64;
  q = m^2;
end Rest;
