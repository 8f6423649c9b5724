// A component that looks at a stream takes nothing of it, so the outlet needs no splitter: the same as the ordinary path.
//! command simulate {file} --model M --components --stop 0.05 --interval 0.05 --tolerance 1e-11 --output -
//! warning D122
//! near pipe.m_flow(0.05) = 0.761585756509 within 1e-9
//! near look.p(0.05) = 120000 within 1e-9
//! check {rubato} simulate {file} --model M --stop 0.05 --interval 0.05 --fixed-step 1e-3 --method rk4 --output one.csv --quiet && {rubato} simulate {file} --model M --components --stop 0.05 --interval 0.05 --fixed-step 1e-3 --method rk4 --output many.csv --quiet 2> /dev/null && {dir}/same.py one.csv many.csv 1e-9 30
//! check {rubato} simulate {file} --model Flowing --stop 0.05 --interval 0.05 --tolerance 1e-9 --output one.csv --quiet 2> /dev/null && {rubato} simulate {file} --model Flowing --components --stop 0.05 --interval 0.05 --tolerance 1e-9 --method radauIIA3 --output many.csv --quiet 2> /dev/null && {dir}/same.py one.csv many.csv 1e-6 30
model Look
  Rubato.Streams.Inlet inlet;
  Real p = inlet.p;
equation
  inlet.m_flow = 0;
end Look;
model M
  import Rubato.Streams.*;
  Source source(p0 = 1.2e5);
  Resistance pipe(k2 = 2e4, L = 1000);
  Look look;
  Sink sink(p0 = 1e5);
equation
  connect(source.outlet, pipe.inlet);
  connect(source.outlet, look.inlet);
  connect(pipe.outlet, sink.inlet);
end M;
model Flowing "Source and sink take the flow of the pipe"
  extends M(pipe(m_flow(start = 0.3)));
end Flowing;
