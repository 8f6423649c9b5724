model M
  Boolean b = edge(time > 1);
end M;
//! command check {file}
//! error T150 2:25
