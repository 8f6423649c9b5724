// Two tanks run into each other until their levels are equal, in finite time: d = h1 - h2 falls as d' = -0.3*sqrt(d) from 2 to 0
// at 9.43 s. From then on the root is at its border, where it is infinitely steep: explicit steps would creep along it with
// the size of rounding errors, so the choice of the method takes attempts without values as signs of stiffness.
//! command simulate {file} --stop 100 --output - --max-steps 3000
//! near h1(5) = 1.480393218813 within 1e-5
//! near h1(100) = 1.333333333333 within 1e-9
//! near h2(100) = 1.333333333333 within 1e-9
//! check {rubato} simulate {file} --stop 100 --max-steps 3000 --tolerance 1e-4 --output {tmp}/a.csv
//! check {rubato} simulate {file} --stop 100 --max-steps 3000 --tolerance 1e-7 --output {tmp}/b.csv
model LevelsEqual
  parameter Real A1 = 1, A2 = 0.5;
  Real h1(start = 2, fixed = true), h2(start = 0, fixed = true);
  Real q;
equation
  q = 0.1*sqrt(h1 - h2);
  A1*der(h1) = -q;
  A2*der(h2) = q;
end LevelsEqual;
