model Branches "Stiff branches of cells that meet in one vessel: a tree of parts, each with nonlinear equations"
  parameter Integer B = 6 "Branches";
  parameter Integer N = 20 "Cells of a branch";
  Real u[B, N](each start = 1, each fixed = true);
  Real v[B, N](each start = 0, each fixed = true);
  Real w[B, N] "Rate of reaction, by an implicit equation";
  Real hub(start = 0.5, fixed = true);
equation
  for b in 1:B loop
    for i in 1:N loop
      w[b, i] + 0.1*w[b, i]^3 = u[b, i]*exp(-v[b, i]);
      der(v[b, i]) = 1000*w[b, i] - 900*v[b, i] + b;
    end for;
    der(u[b, 1]) = 50*(hub - 2*u[b, 1] + u[b, 2]) - w[b, 1];
    for i in 2:N - 1 loop
      der(u[b, i]) = 50*(u[b, i - 1] - 2*u[b, i] + u[b, i + 1]) - w[b, i]*sin(time);
    end for;
    der(u[b, N]) = 50*(u[b, N - 1] - u[b, N]) + 1;
  end for;
  der(hub) = sum(u[b, 1] - hub for b in 1:B) - 0.1*hub^2;
  annotation (experiment(StopTime = 3, Tolerance = 1e-6));
end Branches;
