// A ball that loses energy at every bounce. Look at h: the bounces come faster and faster
// until the ball rests, which is where event handling shows its quality.
model BouncingBall "Ball on a floor, with restitution"
  parameter Real e(min=0, max=1) = 0.8 "Coefficient of restitution";
  parameter Real g(unit="m/s2") = 9.81 "Acceleration of gravity";
  Real h(unit="m", start=1, fixed=true) "Height";
  Real v(unit="m/s", start=0, fixed=true) "Velocity";
  Boolean flying(start=true, fixed=true) "False once the ball rests";
equation
  der(h) = v;
  der(v) = if flying then -g else 0;
  when h <= 0 then
    flying = -e*pre(v) > 0.01;
    reinit(v, if flying then -e*pre(v) else 0);
  end when;
  annotation (experiment(StopTime=4, Tolerance=1e-8));
end BouncingBall;
