model M
  Real x[2] = {1, 2};
  Real y[2] = x[{{1, 2}}];
end M;
//! command check {file}
//! error T120 3:17
