model Diode "A rectifier: relations inside a loop"
  parameter Real e = 0.01;
  Real u, i, v(start = 0, fixed = true), s;
  Boolean off;
equation
  u = sin(2*3.141592653589793*5*time);
  off = s < 0;
  u - v = s*(if off then 1 else 1e-3) + 0.5*i;
  i = s*(if off then 1e-6 else 1);
  e*der(v) = i - v/50;
  annotation(experiment(StopTime = 1));
end Diode;
