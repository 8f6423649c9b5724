// Two ways between a splitter and a junction; the pressure of the mixture cancels.
//! command simulate {file} --model F2 --tolerance 1e-12 --output -
//! near start_a(0) = 19.99720042 within 1e-7
//! near start_b(0) = 39.99360099 within 1e-7
//! near a.m_flow(0.02) = 0.379912159642 within 1e-10
//! near b.m_flow(0.02) = 0.460809099317 within 1e-10
//! near a.m_flow(0.1) = 0.964017609925 within 1e-10
//! near b.m_flow(0.1) = 0.499998961183 within 1e-10
model F2
  import Rubato.Streams.*;
  Source source(p0 = 1.2e5);
  Splitter splitter;
  Resistance a(k2 = 2e4, L = 1000), b(k2 = 8e4, L = 500);
  Junction junction;
  Sink sink(p0 = 1e5);
  Real start_a = der(a.m_flow), start_b = der(b.m_flow);
equation
  connect(source.outlet, splitter.inlet);
  connect(splitter.a, a.inlet);
  connect(splitter.b, b.inlet);
  connect(a.outlet, junction.a);
  connect(b.outlet, junction.b);
  connect(junction.outlet, sink.inlet);
  annotation(experiment(StopTime = 0.1, Interval = 0.01));
end F2;
