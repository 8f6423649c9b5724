model Slow "Some milliseconds a case: a pendulum with many swings"
  parameter Real w = 20;
  Real a(start = 2, fixed = true), v(start = 0, fixed = true);
equation
  der(a) = v;
  der(v) = -w^2*sin(a);
  annotation(experiment(StopTime = 10, Tolerance = 1e-7));
end Slow;
