// Two rods that swing one below the other, drawn in space.
// Look at the animation: `rubato simulate DoublePendulum.mo --report double.html`, open the page, choose
// Animation and press the space bar. The bodies of Rubato.Animation have the members that bodies of
// Modelica.Mechanics.MultiBody have. `energy` stays what it is, however wild the motion.
model DoublePendulum "A chaotic mechanism with its bodies"
  import Rubato.Animation.Planar;
  parameter Real L1(unit="m") = 1, L2(unit="m") = 0.7, m1(unit="kg") = 1, m2(unit="kg") = 0.6, g(unit="m/s2") = 9.81;
  Real p1(unit="rad", start=2, fixed=true) "Angle of the first rod from below";
  Real p2(unit="rad", start=2.5, fixed=true) "Angle of the second rod from below";
  Real w1(unit="rad/s", start=0, fixed=true), w2(unit="rad/s", start=0, fixed=true);
  Real x1(unit="m") = L1*sin(p1), y1(unit="m") = -L1*cos(p1);
  Real x2(unit="m") = x1 + L2*sin(p2), y2(unit="m") = y1 - L2*cos(p2);
  Real energy(unit="J") = (m1 + m2)*L1^2*w1^2/2 + m2*L2^2*w2^2/2 + m2*L1*L2*w1*w2*cos(p1 - p2) + m1*g*y1 + m2*g*y2;
  Planar post(length=0.1, width=0.1, height=0.5, x=-0.05, z=-0.3, color={90, 90, 90});
  Planar rod1(shapeType="beam", length=L1, width=0.08, height=0.06, phi=p1 - 1.5707963267949, color={40, 110, 200});
  Planar rod2(shapeType="beam", length=L2, width=0.08, height=0.06, x=x1, y=y1, z=0.09, phi=p2 - 1.5707963267949, color={230, 150, 30});
  Planar bob1(shapeType="sphere", length=0.2, width=0.2, height=0.2, x=x1, y=y1, r_shape={-0.1, 0, 0}, color={40, 110, 200});
  Planar bob2(shapeType="sphere", length=0.16, width=0.16, height=0.16, x=x2, y=y2, z=0.09, r_shape={-0.08, 0, 0}, color={230, 150, 30});
equation
  der(p1) = w1;
  der(p2) = w2;
  (m1 + m2)*L1*der(w1) + m2*L2*(der(w2)*cos(p1 - p2) + w2^2*sin(p1 - p2)) + (m1 + m2)*g*sin(p1) = 0;
  L2*der(w2) + L1*(der(w1)*cos(p1 - p2) - w1^2*sin(p1 - p2)) + g*sin(p2) = 0;
  annotation (experiment(StopTime=10, Tolerance=1e-9));
end DoublePendulum;
