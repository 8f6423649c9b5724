model Plant "Two tanks and a valve; a pendulum with friction beside them"
  input Real u(start = 1);
  output Real y = h2 + 0.5*u;
  parameter Real k = 0.5;
  Real h1(start = 0.2, fixed = true), h2(start = 0.1, fixed = true);
  Real a(start = 0.3, fixed = true), w(start = 0, fixed = true);
  Boolean high = h1 > 2;
equation
  der(h1) = u - k*sqrt(h1);
  der(h2) = k*sqrt(h1) - (if high then 0.5 else 0.25)*sqrt(h2);
  der(a) = w;
  der(w) = -sin(a) - 0.4*w;
  annotation(experiment(StopTime = 200));
end Plant;
