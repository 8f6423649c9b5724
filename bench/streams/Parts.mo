// A heat exchanger made of parts of DLR's ThermofluidStream, which must be among the libraries: see bench_network.py.
within;
package Parts
  model Cell "Air and water on both sides of a wall"
    package Air = ThermofluidStream.Media.myMedia.Air.SimpleAir;
    package Water = ThermofluidStream.Media.myMedia.Water.ConstantPropertyLiquidWater;
    import Start = ThermofluidStream.Processes.Internal.InitializationMethodsCondElement;
    ThermofluidStream.Interfaces.Inlet inletA(redeclare package Medium = Air);
    ThermofluidStream.Interfaces.Outlet outletA(redeclare package Medium = Air);
    ThermofluidStream.Interfaces.Inlet inletB(redeclare package Medium = Water);
    ThermofluidStream.Interfaces.Outlet outletB(redeclare package Medium = Water);
    ThermofluidStream.Processes.ConductionElement a(redeclare package Medium = Air, V = 0.001, A = 0.1, U = 200,
      init = Start.h, h_0 = 3e4);
    ThermofluidStream.Processes.ConductionElement b(redeclare package Medium = Water, V = 0.001, A = 0.1, U = 200,
      init = Start.h, h_0 = 1e5);
    Modelica.Thermal.HeatTransfer.Components.HeatCapacitor wall(C = 100, T(start = 300, fixed = true));
  equation
    connect(inletA, a.inlet);
    connect(a.outlet, outletA);
    connect(inletB, b.inlet);
    connect(b.outlet, outletB);
    connect(a.heatPort, wall.port);
    connect(b.heatPort, wall.port);
  end Cell;

  model Exchanger "Counter flow of air and water through n cells"
    parameter Integer n = 10;
    inner ThermofluidStream.DropOfCommons dropOfCommons;
    ThermofluidStream.Boundaries.Source airIn(redeclare package Medium = Cell.Air, p0_par = 1.1e5, T0_par = 350);
    ThermofluidStream.Boundaries.Sink airOut(redeclare package Medium = Cell.Air, p0_par = 1e5);
    ThermofluidStream.Boundaries.Source waterIn(redeclare package Medium = Cell.Water, p0_par = 2e5, T0_par = 290);
    ThermofluidStream.Boundaries.Sink waterOut(redeclare package Medium = Cell.Water, p0_par = 1e5);
    ThermofluidStream.Processes.FlowResistance air(redeclare package Medium = Cell.Air, r = 0.05, l = 1,
      redeclare function pLoss = ThermofluidStream.Processes.Internal.FlowResistance.linearQuadraticPressureLoss(
        k = 1e5, k2 = 0));
    ThermofluidStream.Processes.FlowResistance water(redeclare package Medium = Cell.Water, r = 0.05, l = 1,
      redeclare function pLoss = ThermofluidStream.Processes.Internal.FlowResistance.linearQuadraticPressureLoss(
        k = 1e6, k2 = 0));
    Cell cell[n];
  equation
    connect(airIn.outlet, air.inlet);
    connect(air.outlet, cell[1].inletA);
    connect(waterIn.outlet, water.inlet);
    connect(water.outlet, cell[n].inletB);
    for i in 1:n - 1 loop
      connect(cell[i].outletA, cell[i + 1].inletA);
      connect(cell[i + 1].outletB, cell[i].inletB);
    end for;
    connect(cell[n].outletA, airOut.inlet);
    connect(cell[1].outletB, waterOut.inlet);
  end Exchanger;
end Parts;
