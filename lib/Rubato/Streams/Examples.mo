// SPDX-License-Identifier: Apache-2.0
within Rubato.Streams;
package Examples
  model Cell "Two streams in opposite directions, and heat between them"
    parameter Real V(unit = "m3") = 1e-6 "Volume of each side";
    parameter Real UA(unit = "W/K") = 5 "Heat flow by difference of temperature, of each side";
    parameter Real k(unit = "1/(m.s)") = 100 "Loss of pressure by mass flow";
    parameter Real L(unit = "1/m") = 100 "Inertance of each side";
    Inlet hotInlet;
    Outlet hotOutlet;
    Inlet coldInlet;
    Outlet coldOutlet;
    Resistance hotLoss(k = k, k2 = 0, L = L), coldLoss(k = k, k2 = 0, L = L);
    Conduction hot(V = V, UA = UA), cold(V = V, UA = UA);
  equation
    connect(hotInlet, hotLoss.inlet);
    connect(hotLoss.outlet, hot.inlet);
    connect(hot.outlet, hotOutlet);
    connect(coldInlet, coldLoss.inlet);
    connect(coldLoss.outlet, cold.inlet);
    connect(cold.outlet, coldOutlet);
    connect(hot.port, cold.port);
  end Cell;

  model HeatExchanger "Of many cells: hot water comes from the left, cold water from the right"
    parameter Integer n = 20 "Cells";
    Source hot(p0 = 1.2e5, T0 = 353.15), cold(p0 = 1.2e5, T0 = 283.15);
    Sink hotEnd(p0 = 1e5), coldEnd(p0 = 1e5);
    Cell cell[n](each V = 2e-3/n, each UA = 2e4/n, each k = 1e5/n, each L = 1e4/n);
  equation
    connect(hot.outlet, cell[1].hotInlet);
    connect(cold.outlet, cell[n].coldInlet);
    for i in 1:n - 1 loop
      connect(cell[i].hotOutlet, cell[i + 1].hotInlet);
      connect(cell[i + 1].coldOutlet, cell[i].coldInlet);
    end for;
    connect(cell[n].hotOutlet, hotEnd.inlet);
    connect(cell[1].coldOutlet, coldEnd.inlet);
    annotation(experiment(StopTime = 20, Interval = 0.2));
  end HeatExchanger;
end Examples;
