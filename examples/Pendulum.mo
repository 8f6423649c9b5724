// A pendulum in Cartesian coordinates: the rod is a constraint, so the equations have index 3.
// Look at x and y, then at `length`: it stays 1 to the tolerance, although only its second derivative
// stands in the equations that are solved. `rubato structure Pendulum.mo` shows which states remain.
model Pendulum "The textbook example of index reduction"
  parameter Real m(unit="kg") = 1, L(unit="m") = 1, g(unit="m/s2") = 9.81;
  Real x(unit="m", start=1), y(unit="m", start=0, fixed=true);
  Real vx(unit="m/s"), vy(unit="m/s", start=0, fixed=true);
  Real F(unit="N") "Force in the rod";
  Real length(unit="m") = sqrt(x^2 + y^2);
  Real energy(unit="J") = m*(vx^2 + vy^2)/2 + m*g*y;
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x/L;
  m*der(vy) = -F*y/L - m*g;
  x^2 + y^2 = L^2;
  annotation (experiment(StopTime=10, Tolerance=1e-8));
end Pendulum;
