model M
  Real x[3](start = 1, each fixed = true);
equation
  der(x) = {1, 2, 3};
end M;
//! command check {file}
//! warning T106 2:21
//! message write 'each start'
