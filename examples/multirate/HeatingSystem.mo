// One supply unit heats twenty rooms; each room has a thermostat with hysteresis. Look at Td
// (slow) and Tu[1] (saw teeth). Compare `--stats -` with and without --rates auto: state_steps
// fall.
model HeatingSystem "One supply unit heats N rooms; each room has a thermostat with hysteresis"
  parameter Integer N = 20 "Rooms";
  parameter Real Gh = 200 "Heaters, W/K";
  parameter Real Gu = 150 "Losses, W/K";
  parameter Real Cd = 2e6*N "Heat capacity of the supply unit, J/K";
  parameter Real Cu[N] = {1e6*(1 + 0.3*mod(0.6180339887498949*i, 1)) for i in 1:N};
  parameter Real Kp = 2e4*N "Controller of the supply unit";
  parameter Real Td0 = 343.15 "Its set point";
  parameter Real Qmax = 4000*N "Its largest power";
  parameter Real Tu0 = 293.15 "Set point of the rooms";
  parameter Real Teps = 0.5 "Half the hysteresis";
  parameter Real a = 50 "Speed of the thermostats";
  parameter Real b = 15 "Steepness of the valves";
  Real Text "Outside";
  Real Td(start = 343.15, fixed = true);
  Real Qd;
  Real Tu[N](start = {293.15 + 0.6*(mod(0.7548776662466927*i, 1) - 0.5) for i in 1:N},
    each fixed = true);
  Real x[N](start = {if mod(i, 2) == 1 then -0.45 else 0.45 for i in 1:N}, each fixed = true);
  Real u[N], Qh[N], Que[N];
protected
  function sat "Smooth saturation"
    input Real v;
    input Real low;
    input Real high;
    output Real y;
  algorithm
    y := (low + high)/2 + (high - low)/2*tanh((v - (low + high)/2)/((high - low)/2));
  end sat;
  function hist "Rests near -1/2 and 1/2; an error beyond the width drives it over"
    input Real x;
    input Real e;
    input Real width;
    output Real y;
  algorithm
    y := x*(1 - 4*x^2) + 0.3849001794597505*e/width;
  end hist;
equation
  Text = 278.15 + 8*sin(2*3.141592653589793*time/86400);
  Cd*der(Td) = Qd - sum(Qh);
  Qd = sat(Kp*(Td0 - Td), 0, Qmax);
  for i in 1:N loop
    Qh[i] = Gh*(Td - Tu[i])*u[i];
    Que[i] = Gu*(Tu[i] - Text);
    Cu[i]*der(Tu[i]) = Qh[i] - Que[i];
    der(x[i]) = a*hist(x[i], Tu0 - Tu[i], Teps);
    u[i] = sat(b*x[i], -0.5, 0.5) + 0.5;
  end for;
  annotation(experiment(StopTime = 20000, Tolerance = 1e-6));
end HeatingSystem;
