model Ball "Events that become more and more frequent, until the ball rests"
  parameter Real e = 0.8;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Boolean flying(start = true, fixed = true);
equation
  der(h) = v;
  der(v) = if flying then -9.81 else 0;
  when h <= 0 then
    flying = -e*pre(v) > 0.01;
    reinit(v, if flying then -e*pre(v) else 0);
  end when;
  annotation(experiment(StopTime = 3, Tolerance = 1e-8));
end Ball;
