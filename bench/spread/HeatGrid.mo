// A plate of N x N cells, heated along one side and cooled by the air.
model HeatGrid "Heat conduction in a plate"
  parameter Integer N = 100 "Cells along each side";
  parameter Real L(unit = "m") = 1 "Length of a side";
  parameter Real a(unit = "m2/s") = 1e-4 "Thermal diffusivity";
  parameter Real k(unit = "1/s") = a/(L/N)^2;
  parameter Real c(unit = "1/s") = 1e-3 "Cooling";
  Real T[N, N](each unit = "K", each start = 293.15, each fixed = true);
equation
  for i in 2:N - 1, j in 2:N - 1 loop
    der(T[i, j]) = k*(T[i - 1, j] + T[i + 1, j] + T[i, j - 1] + T[i, j + 1] - 4*T[i, j]) - c*(T[i, j] - 293.15);
  end for;
  for j in 2:N - 1 loop
    der(T[1, j]) = k*(2*(373.15 + j/N - T[1, j]) + T[2, j] + T[1, j - 1] + T[1, j + 1] - 3*T[1, j]);
    der(T[N, j]) = k*(T[N - 1, j] + T[N, j - 1] + T[N, j + 1] - 3*T[N, j]);
  end for;
  for i in 2:N - 1 loop
    der(T[i, 1]) = k*(T[i - 1, 1] + T[i + 1, 1] + T[i, 2] - 3*T[i, 1]);
    der(T[i, N]) = k*(T[i - 1, N] + T[i + 1, N] + T[i, N - 1] - 3*T[i, N]);
  end for;
  der(T[1, 1]) = k*(2*(373.15 - T[1, 1]) + T[2, 1] + T[1, 2] - 2*T[1, 1]);
  der(T[1, N]) = k*(2*(373.15 - T[1, N]) + T[2, N] + T[1, N - 1] - 2*T[1, N]);
  der(T[N, 1]) = k*(T[N - 1, 1] + T[N, 2] - 2*T[N, 1]);
  der(T[N, N]) = k*(T[N - 1, N] + T[N, N - 1] - 2*T[N, N]);
  annotation (experiment(StopTime = 100, Tolerance = 1e-6));
end HeatGrid;
