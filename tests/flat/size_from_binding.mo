//! command flat {file}
//! output parameter Real[4] t = {1, 2, 3, 4}
//! output Real[4] y
model M
  parameter Real t[:] = {1, 2, 3, 4};
  Real y[size(t, 1)] = 2*t;
end M;
