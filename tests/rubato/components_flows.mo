// Mass flows of neighbours must start alike; initial equations do not see the network; nor do its parts go in a circle.
//! command simulate {file} --model Different --components --output -
//! exit 1
//! warning D122
//! error C115 76:15
//! message 'pipe.inlet.m_flow' starts with 0.5, but 0 leave 'source.outlet.m_flow'
//! check {rubato} simulate {file} --model Steady --components --output x.csv 2>&1 | grep -q "C107: an initial equation of a part of a network"
//! check {rubato} simulate {file} --model Round --components --output x.csv 2>&1 | grep -q "C113: cyclic stream through the connector of 'a.inlet.m_flow' without a volume"
model Different
  import Rubato.Streams.*;
  Source source;
  Resistance pipe(m_flow(start = 0.5));
  Sink sink;
equation
  connect(source.outlet, pipe.inlet);
  connect(pipe.outlet, sink.inlet);
end Different;
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
