// SPDX-License-Identifier: Apache-2.0
within Rubato.Planar;
package Examples
  model CraneCrab "A trolley with a rod that falls from above"
    Fixed fixed;
    Prismatic prismatic(e = {1, 0});
    Body body1(m = 1, I = 0.1);
    Revolute revolute;
    Translation rod(r = {0.5, 1.5});
    Body body2(m = 0.5, I = 0.05);
  equation
    connect(fixed.on, prismatic.to);
    connect(prismatic.on, body1.to);
    connect(prismatic.on, revolute.to);
    connect(revolute.on, rod.to);
    connect(rod.on, body2.to);
    annotation(experiment(StopTime = 10, Interval = 0.1));
  end CraneCrab;

  model CraneCrabs "Many of them, to see how effort grows with their number"
    parameter Integer N = 16 "How many";
    CraneCrab crab[N];
    annotation(experiment(StopTime = 1, Interval = 0.1));
  end CraneCrabs;
end Examples;
