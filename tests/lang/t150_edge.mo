//! command check {file}
model M
  Real x = time;
  Boolean b = edge(x); //! error T150
end M;
