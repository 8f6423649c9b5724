model M
  Real x(stateSelect = true);
equation
  der(x) = 1;
end M;
//! command check {file}
//! error T101 2:24
