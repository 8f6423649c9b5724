// A steep front of a reaction moves over a grid of 1000 cells. Look at u[200] and u[800]: the
// front arrives there one after the other. With --rates auto the cells before and after it rest.
model ReactionFront "Advection, diffusion and reaction: a steep front moves over a fixed grid"
  parameter Integer N = 1000 "Cells";
  parameter Real L = 10 "Length";
  parameter Real a = 1 "Advection";
  parameter Real d = 1e-3 "Diffusion";
  parameter Real r = 1000 "Reaction";
  final parameter Real dx = L/N;
  Real u[N](start = {if i <= div(N, 3) then 1 else 0 for i in 1:N}, each fixed = true);
equation
  der(u[1]) = a*(1 - u[1])/dx + d*(1 - 2*u[1] + u[2])/dx^2 + r*u[1]^2*(1 - u[1]);
  for i in 2:N - 1 loop
    der(u[i]) = a*(u[i - 1] - u[i])/dx + d*(u[i - 1] - 2*u[i] + u[i + 1])/dx^2
      + r*u[i]^2*(1 - u[i]);
  end for;
  der(u[N]) = a*(u[N - 1] - u[N])/dx + d*(u[N - 1] - u[N])/dx^2 + r*u[N]^2*(1 - u[N]);
  annotation(experiment(StopTime = 3, Tolerance = 1e-6));
end ReactionFront;
