model Arrays "Equations over arrays, with a stiff end"
  parameter Integer n = 20;
  parameter Real e = 1;
  Real T[n](each start = 0, each fixed = true), mean;
equation
  der(T[1]) = 30*(1 - T[1]) + e*(T[2] - T[1]);
  for i in 2:n - 1 loop
    der(T[i]) = 10*e*(T[i - 1] - 2*T[i] + T[i + 1]);
  end for;
  der(T[n]) = 1000*(T[n - 1] - T[n]);
  mean = sum(T)/n;
  annotation(experiment(StopTime = 3));
end Arrays;
