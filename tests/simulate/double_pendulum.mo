// Two coupled constraints between Cartesian coordinates; reference by the angles.
//! command simulate {file} --output - --tolerance 1e-8 --stop 3 --intervals 3
//! near x1(3) = 0.43222855150419165 within 1e-5
//! near y1(3) = -0.9017640929115488 within 1e-5
//! near x2(3) = 1.2987378361762358 within 1e-5
//! near y2(3) = -1.4009250484931552 within 1e-5
//! near energy(3) = -19.62 within 1e-5
//! near missed1(3) = 0 within 1e-9
//! near missed2(3) = 0 within 1e-9
model DoublePendulum
  Real x1(start = 0.8, fixed = true), y1(start = -0.6), u1(start = 0, fixed = true), v1;
  Real x2(start = 1.4, fixed = true), y2(start = -1.4), u2(start = 0, fixed = true), v2;
  Real f1, f2, energy = (u1^2 + v1^2 + u2^2 + v2^2)/2 + 9.81*(y1 + y2);
  Real missed1 = x1^2 + y1^2 - 1, missed2 = (x2 - x1)^2 + (y2 - y1)^2 - 1;
equation
  der(x1) = u1;
  der(y1) = v1;
  der(x2) = u2;
  der(y2) = v2;
  der(u1) = f1*x1 - f2*(x2 - x1);
  der(v1) = f1*y1 - f2*(y2 - y1) - 9.81;
  der(u2) = f2*(x2 - x1);
  der(v2) = f2*(y2 - y1) - 9.81;
  x1^2 + y1^2 = 1;
  (x2 - x1)^2 + (y2 - y1)^2 = 1;
end DoublePendulum;
