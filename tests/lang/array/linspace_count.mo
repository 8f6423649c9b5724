model M
  Real x[3] = linspace(0, 1, 3.5);
end M;
//! command check {file}
//! error T150 2:30
