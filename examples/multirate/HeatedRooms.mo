// Twenty rooms with thermostats on a supply whose temperature follows the hour. Look at Tu[1] and
// Tu[20]: each room switches its own heater. With --rates auto a switch concerns one room only.
model HeatedRooms "Rooms with thermostats on a supply given as a function of time: N independent clusters"
  parameter Integer N = 20 "Rooms";
  parameter Real Gh = 200 "Heaters, W/K";
  parameter Real Gu = 150 "Losses, W/K";
  parameter Real Cu[N] = {1e6*(1 + 0.3*mod(0.6180339887498949*i, 1)) for i in 1:N};
  parameter Real Tu0 = 293.15 "Set point of the rooms";
  parameter Real Teps = 0.5 "Half the hysteresis";
  parameter Real a = 50 "Speed of the thermostats";
  parameter Real b = 15 "Steepness of the valves";
  Real Text "Outside";
  Real Td "Supply";
  Real Tu[N](start = {293.15 + 0.6*(mod(0.7548776662466927*i, 1) - 0.5) for i in 1:N},
    each nominal = 300, each fixed = true);
  Real x[N](start = {if mod(i, 2) == 1 then -0.45 else 0.45 for i in 1:N}, each nominal = 0.5,
    each fixed = true);
  Real u[N];
protected
  constant Real pi = 3.141592653589793;
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
  Text = 278.15 + 8*sin(2*pi*time/86400);
  Td = 343.15 + 2*sin(2*pi*time/43200);
  for i in 1:N loop
    Cu[i]*der(Tu[i]) = Gh*(Td - Tu[i])*u[i] - Gu*(Tu[i] - Text);
    der(x[i]) = a*hist(x[i], Tu0 - Tu[i], Teps);
    u[i] = sat(b*x[i], -0.5, 0.5) + 0.5;
  end for;
  annotation(experiment(StopTime = 20000, Tolerance = 1e-6));
end HeatedRooms;
