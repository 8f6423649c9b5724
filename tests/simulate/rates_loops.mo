// Nonlinear loops in parts of a model: as with one rate, and the same bytes on one and three threads.
//! command simulate {file} --rates 3 --tolerance 1e-8 --output - --threads 3
//! near x[5](0.4) = 1.8737260571176995 within 1e-5
//! near y[5](0.4) = 0.9460557312989879 within 1e-5
//! near z[5](0.4) = 0.80930156510278461 within 1e-5
//! near x[60](0.4) = 0.78755789157066913 within 1e-5
//! near y[40](0.4) = 0.76565219876732038 within 1e-5
//! same-as --threads 1
//! stat levels[1].states_mean < 10
//! stat levels[1].steps > 200
model rates_loops "Cells with an implicit characteristic each, some of them fast"
  parameter Integer N = 60;
  Real x[N](start = {1 + 0.5*sin(i) for i in 1:N}, each fixed = true);
  Real y[N](each start = 0.5);
  Real z[N](each start = 0.5);
equation
  for i in 1:N loop
    y[i]^3 + y[i] + 0.1*z[i] = x[i];
    z[i] + exp(0.2*z[i]) - y[i] = 1 + 0.1*sin(time);
    der(x[i]) = (if mod(i, 12) == 5 then 200*(sin(20*time) - y[i]) else -0.3*y[i])
      + 0.05*(x[if i > 1 then i - 1 else N] - x[i]);
  end for;
  annotation(experiment(StopTime = 0.4));
end rates_loops;
