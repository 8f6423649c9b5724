model M
  Real x = 1;
equation
  Connections.root(x);
end M;
//! command check {file}
//! error T150 4:20
