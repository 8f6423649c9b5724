// A stream without a source, another without a sink.
//! command simulate {file} --model Many --components
//! error C111 9:14
//! error C111 15:29
//! message 'one.pipe.inlet' is not connected: a stream must start at a source
//! message 'two.a.outlet' is not connected: a stream must end at a sink
model One
  import Rubato.Streams.*;
  Resistance pipe; Sink sink;
equation
  connect(pipe.outlet, sink.inlet);
end One;
model Two
  import Rubato.Streams.*;
  Source source; Resistance a;
equation
  connect(source.outlet, a.inlet);
end Two;
model Many
  One one[3];
  Two two[2];
end Many;
