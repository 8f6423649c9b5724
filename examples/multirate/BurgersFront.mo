// A ramp of speed in a fluid steepens into a front that runs through fluid at rest. Look at u[100]
// and u[400]: nothing happens until the front passes. With --rates auto only the cells in the
// front take small steps.
model BurgersFront "A ramp steepens into a front that runs through fluid at rest"
  parameter Integer N = 600 "Cells";
  parameter Real L = 10 "Length";
  parameter Real nu = 1e-3 "Viscosity";
  final parameter Real dx = L/N;
  Real u[N](start = {min(1, max(0, 2 - i*dx)) for i in 1:N}, each fixed = true);
equation
  for i in 1:N loop
    der(u[i]) = ((if i > 1 then u[max(i - 1, 1)] else 1)^2 - u[i]^2)/(2*dx)
      + nu*((if i > 1 then u[max(i - 1, 1)] else 1) - 2*u[i]
      + (if i < N then u[min(i + 1, N)] else 0))/dx^2;
  end for;
  annotation(experiment(StopTime = 5, Tolerance = 1e-6));
end BurgersFront;
