// A stream branches without a splitter.
//! command simulate {file} --model Many --components
//! error C112 10:3
//! message outlet 'one.source.outlet' is connected to 2 inlets: use a splitter
model One
  import Rubato.Streams.*;
  Source source; Resistance p1, p2; Sink s1, s2;
equation
  connect(source.outlet, p1.inlet);
  connect(source.outlet, p2.inlet);
  connect(p1.outlet, s1.inlet);
  connect(p2.outlet, s2.inlet);
end One;
model Many
  One one[3];
end Many;
