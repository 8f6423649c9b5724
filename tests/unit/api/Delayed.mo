model Delayed "A delay inside the equation, and one whose jump arrives later"
  parameter Real e = 1;
  Real x(start = 1, fixed = true), u, y;
equation
  der(x) = -e*delay(x, 0.7);
  u = if time < 0.55 then 0 else 1 + time;
  y = delay(u, 0.5);
  annotation(experiment(StopTime = 3, Tolerance = 1e-7));
end Delayed;
