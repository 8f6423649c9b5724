// A joint that moves only a rod without mass.
//! command simulate {file} --model Many --components
//! error C114 7:21
//! message joint 'one.j' moves no inertia: attach a body
model One
  import Rubato.Planar.*;
  Fixed a; Revolute j; Translation rod;
equation
  connect(a.on, j.to);
  connect(j.on, rod.to);
end One;
model Many
  One one[3];
end Many;
