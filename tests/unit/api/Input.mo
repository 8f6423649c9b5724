model Input "A top-level input"
  input Real u;
  parameter Real k = 1;
  Real x(start = 0, fixed = true), y;
  discrete Integer n(start = 0, fixed = true);
equation
  der(x) = k*(u - x);
  y = 2*x + u;
  when u > 0.5 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 3, Tolerance = 1e-8));
end Input;
