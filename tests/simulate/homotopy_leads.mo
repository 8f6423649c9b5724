// A simplified model says which of many solutions is meant: the start value leads to another one.
//! command simulate {file} --output - --stop 1
//! near x(0) = 100 within 1e-6
//! near y(0) = 3 within 1e-9
model M
  Real x(start = 0), y(start = -5);
equation
  0 = homotopy(sin(x)*(x - 100), x - 100);
  0 = homotopy((y - 3)*(y + 2)*(y + 8), y - 1);
end M;
