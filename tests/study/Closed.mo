model Closed "The sum of both is kept: the equations leave a direction open"
  Real a(start = 3, fixed = true), b(start = 1, fixed = true);
equation
  der(a) = b - 3*a;
  der(b) = 3*a - b;
  annotation(experiment(StopTime = 100));
end Closed;
