// Three states with tempos 1, 20 and 400, of which the exact solution is known. Look at x[1], x[2]
// and x[3], and at error: it stays at the tolerance with --rates 3.
model ThreeTempos "Three rates with the exact solutions sqrt(a + cos(w t))"
  constant Real w[3] = {1, 20, 400};
  constant Real a[3] = {3, 2, 2};
  constant Real A[3, 3] = {{-10, 0.1, 0.1}, {0.1, -5, 0.1}, {0.1, 0.1, -1}};
  Real x[3](start = {2, sqrt(3), sqrt(3)}, each fixed = true);
  Real error[3];
equation
  for i in 1:3 loop
    der(x[i]) = sum(A[i, j]*(x[j]^2 - a[j] - cos(w[j]*time))/(2*x[j]) for j in 1:3)
      - w[i]*sin(w[i]*time)/(2*x[i]);
    error[i] = x[i] - sqrt(a[i] + cos(w[i]*time));
  end for;
  annotation(experiment(StopTime = 5, Tolerance = 1e-6));
end ThreeTempos;
