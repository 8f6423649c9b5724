//! command flat {file}
//! output y = x[2:3];
model M
  Real x[3] = {1, 2, time};
  Real y[2];
equation
  y = x[2:end];
end M;
