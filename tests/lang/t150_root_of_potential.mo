connector C
  Real p;
  flow Real m;
end C;
model M
  C c;
equation
  Connections.root(c.p);
  c.p = 1;
end M;
//! command check {file} --model M
//! error T150 8:20
