model Decay "Its end is exp(-k), scaled; it stops itself where the scale is negative"
  parameter Integer n = 1 "shapes the model";
  parameter Real k = 1;
  parameter Real scale = 1;
  Real x[n](each start = 1, each fixed = true);
  Real y = scale*sum(x);
  Boolean low = x[1] < 0.5;
equation
  for i in 1:n loop
    der(x[i]) = -k*i*x[i];
  end for;
  assert(scale > 0, "the scale is not positive");
  annotation(experiment(StopTime = 1, Tolerance = 1e-9));
end Decay;
