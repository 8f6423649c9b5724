// A chip of 900 cells; short pulses of power heat four of them. Look at the cells that are heated
// and at a corner. With --rates auto the small steps stay near the pulses.
model ThermalChip "A square of cells; short pulses of power heat four of them"
  parameter Integer N = 30 "Cells along an edge";
  parameter Real k = 20 "Conduction to a neighbour, 1/s";
  parameter Real g = 0.5 "Losses, 1/s";
  parameter Real p = 2e3 "Peak power, K/s";
  final parameter Integer a = div(N, 4) + 1, b = a + div(N, 2) "Places of the hot cells";
  final parameter Real f[N, N] = {{
    (if i == a or i == b then 1 else 0)*(if j == a or j == b then 1 else 0)
    *(7 + (if i == b then 3 else 0) + (if j == b then 6 else 0)) for j in 1:N} for i in 1:N}
    "Pulses per second";
  Real T[N, N](each start = 0, each fixed = true) "Above the surroundings";
equation
  for i in 1:N loop
    for j in 1:N loop
      der(T[i, j]) = -g*T[i, j]
        + (if i > 1 then k*(T[max(i - 1, 1), j] - T[i, j]) else 0)
        + (if i < N then k*(T[min(i + 1, N), j] - T[i, j]) else 0)
        + (if j > 1 then k*(T[i, max(j - 1, 1)] - T[i, j]) else 0)
        + (if j < N then k*(T[i, min(j + 1, N)] - T[i, j]) else 0)
        + (if f[i, j] > 0 then p*exp(20*(sin(2*3.141592653589793*f[i, j]*time) - 1)) else 0);
    end for;
  end for;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6));
end ThermalChip;
