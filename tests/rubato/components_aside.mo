// What no triplet joins to the network may have events as well: it is the rest of the model without a triplet.
//! command simulate {file} --components --stop 0.1 --interval 0.01 --tolerance 1e-9 --output -
//! warning D122
//! near x(0.05) = 1.05 within 1e-9
//! near x(0.1) = 1 within 1e-9
//! near tank(0.1) = 0.5 within 1e-6
//! near pipe.outlet.m_flow(0.1) = -0.96402475399 within 1e-6
//! stat events_time >= 1
//! check {rubato} structure {file} --components | grep -q 'family of the rest: 1 instances, 2 states, .* by the ordinary code: it causes events'
model Aside
  import Rubato.Streams.*;
  Source source(p0 = 1.2e5);
  Resistance pipe(k2 = 2e4, L = 1000);
  Sink sink(p0 = 1e5);
  Real x(start = 1, fixed = true), tank(start = 0.5, fixed = true);
equation
  connect(source.outlet, pipe.inlet);
  connect(pipe.outlet, sink.inlet);
  der(x) = if time < 0.05 then 1 else -1;
  der(tank) = if tank > 0.4 then 0 else 1;
end Aside;
