model Rates "Two tempos with exact solutions"
  parameter Real e = 0.1;
  Real x[2](start = {2, sqrt(3)}, each fixed = true);
equation
  der(x[1]) = -10*(x[1]^2 - 3 - cos(time))/(2*x[1]) +
    e*(x[2]^2 - 2 - cos(50*time))/(2*x[2]) - sin(time)/(2*x[1]);
  der(x[2]) = e*(x[1]^2 - 3 - cos(time))/(2*x[1]) -
    (x[2]^2 - 2 - cos(50*time))/(2*x[2]) - 50*sin(50*time)/(2*x[2]);
  annotation(experiment(StopTime = 3, Tolerance = 1e-6));
end Rates;
