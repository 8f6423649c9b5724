// Two states with tempos 1 and 50, of which the exact solution is known. Look at x[1] and x[2],
// and at error: it stays at the tolerance with --rates 2.
model TwoTempos "Two rates with the exact solutions sqrt(3 + cos(t)) and sqrt(2 + cos(50 t))"
  constant Real w[2] = {1, 50};
  constant Real a[2] = {3, 2};
  constant Real A[2, 2] = {{-10, 0.1}, {0.1, -1}};
  Real x[2](start = {2, sqrt(3)}, each fixed = true);
  Real error[2];
equation
  for i in 1:2 loop
    der(x[i]) = sum(A[i, j]*(x[j]^2 - a[j] - cos(w[j]*time))/(2*x[j]) for j in 1:2)
      - w[i]*sin(w[i]*time)/(2*x[i]);
    error[i] = x[i] - sqrt(a[i] + cos(w[i]*time));
  end for;
  annotation(experiment(StopTime = 5, Tolerance = 1e-6));
end TwoTempos;
