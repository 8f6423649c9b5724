// A stream in a circle.
//! command simulate {file} --model Many --components
//! error D103 8:14
//! error C113 10:3
//! message cyclic stream one.p1 -> one.p2 -> one.p3 -> one.p1 without a volume
model One
  import Rubato.Streams.*;
  Resistance p1, p2; Pump p3;
equation
  connect(p1.outlet, p2.inlet);
  connect(p2.outlet, p3.inlet);
  connect(p3.outlet, p1.inlet);
end One;
model Many
  One one[3];
end Many;
