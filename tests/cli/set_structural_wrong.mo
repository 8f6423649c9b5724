// A setting that shapes the model is a modifier: messages point into it.
//! command simulate {file} --set N=2.5 --output -
//! error T101 1:4
//! exit 1
model M
  parameter Integer N = 3;
  Real x[N](each start = 1, each fixed = true);
equation
  der(x) = -x;
end M;
