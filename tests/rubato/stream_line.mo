// Source, resistance, sink: m = tanh(t/0.050001).
//! command simulate {file} --model F1 --tolerance 1e-11 --output -
//! near pipe.m_flow(0.05) = 0.761585756509 within 1e-10
//! near pipe.m_flow(0.1) = 0.96402475399 within 1e-10
model F1
  import Rubato.Streams.*;
  Source source(p0 = 1.2e5);
  Resistance pipe(k2 = 2e4, L = 1000);
  Sink sink(p0 = 1e5);
equation
  connect(source.outlet, pipe.inlet);
  connect(pipe.outlet, sink.inlet);
  annotation(experiment(StopTime = 0.1, Interval = 0.01));
end F1;
