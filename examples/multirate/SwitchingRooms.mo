// Forty rooms, each with a thermostat and a fan. Look at T[1] and T[2]: events of one room do not
// disturb the steps of the others with --rates auto.
model SwitchingRooms "Rooms with a two-point thermostat and a fan each: N clusters with events"
  parameter Integer N = 40 "Rooms";
  parameter Real k = 1e-5 "Between rooms, 1/s";
  parameter Real low = 293, high = 295;
  Real T[N](start = {293.2 + 1.6*mod(0.6180339887*i, 1) for i in 1:N}, each fixed = true,
    each nominal = 300) "Air";
  Real W[N](each start = 288, each fixed = true, each nominal = 300) "Walls";
  Real v[N](each start = 0, each fixed = true) "Fans";
  Boolean on[N](start = {mod(i, 2) == 0 for i in 1:N}, each fixed = true);
  Integer starts[N](each start = 0, each fixed = true);
  Real Ta "Outside";
equation
  Ta = 278 + 5*sin(time/7000);
  for i in 1:N loop
    on[i] = pre(on[i]) and not T[i] > high or T[i] < low;
    der(v[i]) = 5*((if on[i] then 1 else 0) - v[i]);
    der(T[i]) = 2e-3*(W[i] - T[i]) + v[i]*(1 + 0.05*mod(i, 7))*0.04*(1 + 0.1*sin(0.3*time + i));
    der(W[i]) = 1e-4*(T[i] - W[i]) + 3e-5*(Ta - W[i])
      + k*(W[if i > 1 then i - 1 else N] - 2*W[i] + W[if i < N then i + 1 else 1]);
    when on[i] then
      starts[i] = pre(starts[i]) + 1;
    end when;
  end for;
  annotation(experiment(StopTime = 2000, Tolerance = 1e-6));
end SwitchingRooms;
