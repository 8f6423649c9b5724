model Loop "A nonlinear loop and a linear one"
  parameter Real e = 1;
  Real x(start = 0.5, fixed = true), y(start = 0.3), z, a, b;
equation
  der(x) = y - x;
  e*y + sin(y + z) = x;
  z = y^3 + 0.1*x;
  a + 2*b = x;
  3*a - b*e = 1 + time;
  annotation(experiment(StopTime = 3));
end Loop;
