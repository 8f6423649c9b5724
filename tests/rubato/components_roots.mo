// A part with a nonlinear loop of two solutions: an initial equation says which one holds, and the loop begins there, not at
// its start attribute. The same as the ordinary path.
//! command simulate {file} --model M --components --stop 0.1 --interval 0.1 --tolerance 1e-9 --output -
//! warning D122
//! near pipe.y(0) = 3 within 1e-9
//! check {rubato} simulate {file} --model M --stop 0.1 --interval 0.1 --tolerance 1e-9 --output one.csv --quiet 2> /dev/null && {rubato} simulate {file} --model M --components --stop 0.1 --interval 0.1 --tolerance 1e-9 --output many.csv --quiet 2> /dev/null && {dir}/same.py one.csv many.csv 1e-6 20
model Rooted
  extends Rubato.Streams.Pipe(L = 1000);
  Real u(stateSelect = StateSelect.always);
  Real y(start = -1);
initial equation
  y = 3;
equation
  u = y^2 + 0.1*y;
  der(u) = -u;
  dp = -2e4*m_flow*abs(m_flow) - 100*y;
  outlet.h = inlet.h;
end Rooted;
model M
  import Rubato.Streams.*;
  Source source(p0 = 1.2e5);
  Rooted pipe;
  Sink sink(p0 = 1e5);
equation
  connect(source.outlet, pipe.inlet);
  connect(pipe.outlet, sink.inlet);
end M;
