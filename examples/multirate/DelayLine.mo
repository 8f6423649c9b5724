// A chain of 200 lags: a signal arrives after a second, a little smeared. Look at x[1], x[100] and
// x[200]. Everything moves all the time, so --rates auto must not cost more than one rate.
model DelayLine "Everything moves all the time: multi-rate must not cost anything"
  parameter Integer N = 200 "Lags";
  parameter Real T = 1 "Delay";
  Real x[N](each start = 0, each fixed = true);
equation
  der(x[1]) = (sin(6.283185307179586*time) - x[1])*N/T;
  for i in 2:N loop
    der(x[i]) = (x[i - 1] - x[i])*N/T;
  end for;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6));
end DelayLine;
