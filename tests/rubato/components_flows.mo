// Mass flows of neighbours must start alike, and those that nothing determines take the value of one that is; initial equations do not see the network; nor do its parts go in a circle.
//! command simulate {file} --model Different --components --output -
//! exit 1
//! warning D122
//! error C115 76:15
//! message 'pipe.inlet.m_flow' starts with 0.5, but 0.25 leave 'first.outlet.m_flow'
//! check {rubato} simulate {file} --model Alike --stop 0.01 --interval 0.01 --tolerance 1e-9 --output one.csv --quiet 2> /dev/null && {rubato} simulate {file} --model Alike --components --stop 0.01 --interval 0.01 --tolerance 1e-9 --method esdirk4 --output many.csv --quiet 2> /dev/null && {dir}/same.py one.csv many.csv 1e-5 25
//! check {rubato} simulate {file} --model Steady --components --output x.csv 2>&1 | grep -q "C107: an initial equation of a part of a network"
//! check {rubato} simulate {file} --model Round --components --output x.csv 2>&1 | grep -q "C113: cyclic stream through the connector of 'a.inlet.m_flow' without a volume"
//! check {rubato} simulate {file} --model Joined --stop 0.01 --interval 0.01 --tolerance 1e-9 --output one.csv --quiet 2> /dev/null && {rubato} simulate {file} --model Joined --components --stop 0.01 --interval 0.01 --tolerance 1e-9 --output many.csv --quiet 2> /dev/null && {dir}/same.py one.csv many.csv 1e-5 60
//! check {rubato} simulate {file} --model Pulsating --components --stop 10 --interval 10 --tolerance 1e-2 --method esdirk23 --output many.csv --quiet --variables 'm_flow$' 2> /dev/null && python3 -c "import csv; r = {k: float(v) for k, v in list(csv.DictReader(open('many.csv')))[-1].items()}; m = r['a.m_flow'] + r['b.m_flow']; assert abs(r['sink.inlet.m_flow'] - m) < 8e-5 * abs(m), r"
model Different
  import Rubato.Streams.*;
  Source source;
  Resistance first(m_flow(start = 0.25));
  Resistance pipe(m_flow(start = 0.5));
  Sink sink;
equation
  connect(source.outlet, first.inlet);
  connect(first.outlet, pipe.inlet);
  connect(pipe.outlet, sink.inlet);
end Different;
model Alike "The flow of one pipe is that of source, cells and sink"
  import Rubato.Streams.*;
  Source source;
  Resistance pipe(L = 1000, m_flow(start = 0.5));
  Resistance more[2](each L = 1000, each m_flow(fixed = false));
  Sink sink;
equation
  connect(source.outlet, pipe.inlet);
  connect(pipe.outlet, more[1].inlet);
  connect(more[1].outlet, more[2].inlet);
  connect(more[2].outlet, sink.inlet);
end Alike;
model Resting
  extends Rubato.Streams.Resistance(m_flow(fixed = false));
initial equation
  der(m_flow) = 0;
end Resting;
model Steady
  import Rubato.Streams.*;
  Source source;
  Resting pipe;
  Sink sink;
equation
  connect(source.outlet, pipe.inlet);
  connect(pipe.outlet, sink.inlet);
end Steady;
model Round
  import Rubato.Streams.*;
  Pump a;
  Resistance b;
equation
  connect(a.outlet, b.inlet);
  connect(b.outlet, a.inlet);
end Round;
model Joined "What leaves a junction follows from what comes in"
  import Rubato.Streams.*;
  Source source, other(p0 = 1.3e5);
  Resistance a(L = 1000, m_flow(start = 0.3));
  Resistance b(L = 1000, m_flow(start = 0.2));
  Junction junction;
  Resistance pipe(L = 1000, m_flow(fixed = false));
  Sink sink;
equation
  connect(source.outlet, a.inlet);
  connect(other.outlet, b.inlet);
  connect(a.outlet, junction.a);
  connect(b.outlet, junction.b);
  connect(junction.outlet, pipe.inlet);
  connect(pipe.outlet, sink.inlet);
end Joined;
model Pulsed "Its pump pulsates"
  extends Rubato.Streams.Pipe(L = 100, m_flow(start = 0.3));
equation
  dp = 1e5*sin(50*time)*time - 2e4*m_flow*abs(m_flow);
  outlet.h = inlet.h;
end Pulsed;
model Pulsating "The flow of the sink does not drift away from those of the pipes"
  import Rubato.Streams.*;
  Source source, other(p0 = 1.3e5);
  Pulsed a;
  Resistance b(L = 1000, m_flow(start = 0.2));
  Junction junction;
  Resistance pipe(L = 1000, m_flow(fixed = false));
  Sink sink;
equation
  connect(source.outlet, a.inlet);
  connect(other.outlet, b.inlet);
  connect(a.outlet, junction.a);
  connect(b.outlet, junction.b);
  connect(junction.outlet, pipe.inlet);
  connect(pipe.outlet, sink.inlet);
end Pulsating;
