// A joint hangs on two components.
//! command simulate {file} --model Many --components
//! error C110 9:3
//! message 'one.j.to' has two parents 'one.a.on', 'one.b.on'
model One
  import Rubato.Planar.*;
  Fixed a, b; Revolute j; Body body;
equation connect(a.on, j.to);
  connect(b.on, j.to);
  connect(j.on, body.to);
end One;
model Many
  One one[3];
end Many;
