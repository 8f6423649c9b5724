// A digital controller holds the level of a tank: it samples every half second, computes a PI law with derivatives
// (discretised by its own solver method) and holds its output until the next tick. Look at h and valve: the level
// is smooth, the valve moves in steps. At 60 s the demand doubles. `rubato structure` lists the clocked partition.
model ClockedController "A continuous plant with a sampled controller"
  parameter Real A(unit = "m2") = 2 "Cross section of the tank";
  parameter Real wanted(unit = "m") = 1.5 "Level to be held";
  parameter Real K = 0.4 "Gain";
  parameter Real Ti(unit = "s") = 8 "Integral time";
  Real h(unit = "m", start = 1, fixed = true) "Level";
  Real demand(unit = "m3/s") = if time < 60 then 0.1 else 0.2;
  Real valve(unit = "m3/s") "Inflow, held between ticks";
  Real error, integral(start = 0, fixed = true), u;
equation
  A*der(h) = valve - demand;
  valve = hold(u);
  when Clock(Clock(1, 2), "ImplicitEuler") then
    error = wanted - sample(h);
    der(integral) = error/Ti;
    u = K*(error + integral);
  end when;
  annotation(experiment(StopTime = 150));
end ClockedController;
