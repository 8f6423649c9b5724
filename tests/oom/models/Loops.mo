// A pendulum in Cartesian coordinates: index reduction, a nonlinear start, a delay, Strings.
model Loops
  parameter Real L = 1, m = 1, g = 9.81;
  parameter String name = "pendulum";
  Real x(start = 0.8), y(start = -0.6), vx, vy, F, late, q(start = 0.5);
  discrete Integer count(start = 0, fixed = true);
equation
  x^2 + y^2 = L^2;
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x/L;
  m*der(vy) = -F*y/L - m*g;
  late = delay(x, 0.1);
  q + sin(q)*0.3 = y;
  when x > 0.5 then
    count = pre(count) + 1;
  end when;
  assert(abs(x) < 2, "the " + name + " is at " + String(x));
initial equation
  vx = 0;
  x = 0.8;
  annotation(experiment(StopTime = 1));
end Loops;
