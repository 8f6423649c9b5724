// A rod whose first fifth is held warm by heaters that switch on and off. Look at T[1] (saw teeth)
// and T[100] (smooth). With --rates auto the heaters' events leave the far end alone.
model SwitchingCells "A thermal rod whose first fifth has two-point heaters"
  parameter Integer N = 100 "Cells";
  parameter Integer M = div(N, 5) "Cells with a heater";
  parameter Real k = 0.02 "Coupling, 1/s";
  parameter Real g = 0.12 "Losses, 1/s";
  parameter Real p = 3.6 "Heating, K/s";
  parameter Real low = 299, high = 301;
  Real T[N](start = {if i <= M then 299.2 + 1.6*mod(0.6180339887*i, 1) else 292 for i in 1:N},
    each fixed = true);
  Boolean on[M](start = {mod(i, 2) == 0 for i in 1:M}, each fixed = true);
  Real Ta;
equation
  Ta = 290 + 5*sin(time/50);
  for i in 1:M loop
    on[i] = pre(on[i]) and not T[i] > high or T[i] < low;
  end for;
  for i in 1:N loop
    der(T[i]) = g*(Ta - T[i]) + (if i > 1 then k*(T[max(i - 1, 1)] - T[i]) else 0)
      + (if i < N then k*(T[min(i + 1, N)] - T[i]) else 0)
      + (if i <= M then (if on[min(i, M)] then p*(1 + 0.1*mod(i - 1, 7)) else 0) else 0);
  end for;
  annotation(experiment(StopTime = 100, Tolerance = 1e-8));
end SwitchingCells;
