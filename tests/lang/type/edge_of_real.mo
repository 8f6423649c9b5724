model M
  Real x = time;
  Boolean b = edge(x);
end M;
//! command check {file}
//! error T150 3:20
