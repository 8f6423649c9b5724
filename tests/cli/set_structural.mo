// A parameter that shaped the model cannot be set afterwards: refused, never ignored.
//! command simulate {file} --set N=4 --output -
//! exit 2
//! message --set N=4: this
model M
  parameter Integer N = 3;
  Real x[N](each start = 1, each fixed = true);
equation
  der(x) = -x;
end M;
