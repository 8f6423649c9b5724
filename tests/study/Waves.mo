model Waves "Two arrays that read each other, and a state that all of one process read"
  parameter Integer N = 40;
  Real x[N](start = {sin(6.28*i/N) for i in 1:N}, each fixed = true);
  Real v[N](each start = 0, each fixed = true);
  Real f[N + 1];
  Real done(start = 0, fixed = true);
equation
  f[1] = -x[1];
  for i in 2:N loop
    f[i] = x[i - 1] - x[i];
  end for;
  f[N + 1] = x[N] + 0.1*v[N];
  for i in 1:N loop
    der(x[i]) = v[i];
    der(v[i]) = f[i] - f[i + 1];
  end for;
  der(done) = f[1]*v[1];
  annotation (experiment(StopTime = 5, Tolerance = 1e-7));
end Waves;
