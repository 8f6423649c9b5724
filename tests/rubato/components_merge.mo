// Components that leave the change of their mass flow to a neighbour, prescribe it, or have an open end: with what they
// are connected to they belong to the rest of the model, and the values are those of the ordinary path.
//! command simulate {file} --model Still --components --stop 0.1 --interval 0.1 --tolerance 1e-9 --output -
//! warning D122
//! near m(0.1) = 0.96402475399 within 1e-4
//! check {rubato} simulate {file} --model Still --stop 0.1 --interval 0.1 --tolerance 1e-9 --output one.csv --quiet 2> /dev/null && {rubato} simulate {file} --model Still --components --stop 0.1 --interval 0.1 --tolerance 1e-9 --output many.csv --quiet 2> /dev/null && {dir}/same.py one.csv many.csv 1e-6 20
//! check {rubato} simulate {file} --model Mixed --stop 0.1 --interval 0.1 --tolerance 1e-9 --output one.csv --quiet 2> /dev/null && {rubato} simulate {file} --model Mixed --components --stop 0.1 --interval 0.1 --tolerance 1e-9 --output many.csv --quiet 2> /dev/null && {dir}/same.py one.csv many.csv 1e-6 40
//! check {rubato} structure {file} --model Mixed --components 2> /dev/null | grep -q "^network: 4 classes of parts, 3 connections in 3 wires"
//! check {rubato} simulate {file} --model Drawn --components --stop 0.1 --output x.csv 2>&1 | grep -q "warning C116: no component of 'Drawn' can be translated on its own"
//! check {rubato} simulate {file} --model Drawn --stop 0.1 --interval 0.1 --output one.csv --quiet 2> /dev/null && {rubato} simulate {file} --model Drawn --components --stop 0.1 --interval 0.1 --output many.csv --quiet 2> /dev/null && {dir}/same.py one.csv many.csv 1e-9 8
model Still "A sink without inertance"
  import Rubato.Streams.*;
  Source source;
  Resistance pipe(k2 = 2e4, L = 1000);
  Sink sink(L = 0);
  Real m = pipe.m_flow;
equation
  connect(source.outlet, pipe.inlet);
  connect(pipe.outlet, sink.inlet);
end Still;
model Draw "A mass flow that jumps"
  Rubato.Streams.Inlet inlet;
equation
  inlet.m_flow = if time < 0.05 then 0.1 else 0.3;
end Draw;
model Mixed "Two streams that are parts, one that is not, and an open end"
  import Rubato.Streams.*;
  Source source, second;
  Resistance pipe(k2 = 2e4, L = 1000), other(L = 800);
  Sink sink(L = 0), end_;
  Source open;
equation
  connect(source.outlet, pipe.inlet);
  connect(pipe.outlet, sink.inlet);
  connect(second.outlet, other.inlet);
  connect(other.outlet, end_.inlet);
end Mixed;
model Drawn
  Rubato.Streams.Source source(L = 0);
  Draw draw;
equation
  connect(source.outlet, draw.inlet);
end Drawn;
//! long
