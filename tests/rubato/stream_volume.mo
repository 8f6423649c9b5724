// Gas fills a volume and leaves it: in the end both resistances pass the same, half of the
// difference of pressure each, and the volume is as warm as the source.
//! command simulate {file} --model Gas --tolerance 1e-9 --output -
//! near volume.p(20) = 110000 within 0.01
//! near volume.T(20) = 350 within 1e-4
//! near into.m_flow(20) = 0.70710678118655 within 1e-6
//! near cell.T(20) = 350 within 0.5
model Gas
  import Rubato.Streams.*;
  Source source(p0 = 1.2e5, T0 = 350, redeclare package Medium = Air);
  Resistance into(k2 = 2e4, L = 10);
  Volume volume;
  Conduction cell(redeclare package Medium = Air, UA = 0);
  FixedTemperature wall;
  Resistance out(k2 = 2e4, L = 10);
  Sink sink(p0 = 1e5);
equation
  connect(source.outlet, into.inlet);
  connect(into.outlet, volume.inlet);
  connect(volume.outlet, cell.inlet);
  connect(cell.port, wall.port);
  connect(cell.outlet, out.inlet);
  connect(out.outlet, sink.inlet);
  annotation(experiment(StopTime = 20, Interval = 1));
end Gas;
