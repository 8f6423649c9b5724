//! command check {file}
//! output 4 equations, 4 unknowns, 1 parameter
model M
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
  Real y[3];
equation
  der(x) = -k*x;
  y = x*{1, 2, 3};
end M;
