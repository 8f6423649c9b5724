// One element of what shapes the model: refused, never ignored.
//! command simulate {file} --set n[2]=4 --output -
//! exit 2
//! message --set n[2]=4: this shapes the model, and one element alone cannot be set
model M
  parameter Integer n[2] = {1, 2};
  Real x[n[1]](each start = 1, each fixed = true), y[n[2]] = fill(time, n[2]);
equation
  der(x) = -x;
end M;
