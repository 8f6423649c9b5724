// A closed loop with one degree of freedom: the crank turns round four times, and every coordinate
// has its turning points. Reference from the energy as a function of the angle of the crank.
//! command simulate {file} --output - --tolerance 1e-8 --stop 3 --intervals 6
//! near x1(3) = 0.576723921539 within 1e-5
//! near y1(3) = 0.816939115433 within 1e-5
//! near x2(3) = 3.060628208457 within 1e-5
//! near y2(3) = 2.499264735945 within 1e-5
//! near energy(1.5) = 80.53334088469839 within 1e-4
//! near energy(3) = 80.53334088469839 within 1e-4
//! near missed(3) = 0 within 1e-8
model FourBar
  Real x1(start = 0.8, fixed = true), y1(start = 0.6), u1(start = -6, fixed = true), v1(start = 8);
  Real x2(start = 3.1), y2(start = 2.5), u2, v2, f1, f2, f3;
  Real energy = (u1^2 + v1^2 + u2^2 + v2^2)/2 + 9.81*(y1 + y2);
  Real missed = abs(x1^2 + y1^2 - 1) + abs((x2 - x1)^2 + (y2 - y1)^2 - 9) + abs((x2 - 3)^2 + y2^2 - 6.25);
equation
  der(x1) = u1;
  der(y1) = v1;
  der(x2) = u2;
  der(y2) = v2;
  der(u1) = f1*x1 - f2*(x2 - x1);
  der(v1) = f1*y1 - f2*(y2 - y1) - 9.81;
  der(u2) = f2*(x2 - x1) + f3*(x2 - 3);
  der(v2) = f2*(y2 - y1) + f3*y2 - 9.81;
  x1^2 + y1^2 = 1;
  (x2 - x1)^2 + (y2 - y1)^2 = 9;
  (x2 - 3)^2 + y2^2 = 6.25;
end FourBar;
