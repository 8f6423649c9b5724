// Forty generators on a ring swing against each other. Look at phi[1] and phi[20]. All have the
// same tempo: --rates auto must find that out and cost nothing.
model PowerRing "Generators on a ring swing together: multi-rate must not cost anything"
  parameter Integer N = 40 "Generators";
  parameter Real K = 4 "Stiffness of a line";
  parameter Real d = 0.2 "Damping";
  Real phi[N](start = {0.3*sin(0.7*(i - 1)) for i in 1:N}, each fixed = true) "Angles";
  Real w[N](each start = 0, each fixed = true) "Speeds";
  Real disturbance = 0.3*(1 + 0.2*sin(time)) "Power at the first generator";
equation
  der(phi) = w;
  for i in 1:N loop
    der(w[i]) = (if i == 1 then disturbance else 0) - d*w[i] - sin(phi[i])
      - K*(sin(phi[i] - phi[mod(i - 2, N) + 1]) + sin(phi[i] - phi[mod(i, N) + 1]));
  end for;
  annotation(experiment(StopTime = 40, Tolerance = 1e-6));
end PowerRing;
