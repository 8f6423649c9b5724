// A subscript min(k, M - 1) is 1, ..., M - 1, M - 1: what is not known in the first pass over a loop is no error.
//! command simulate {file} --stop 1 --output -
//! near w[1](1) = 1.5 within 1e-9
//! near w[6](1) = 2.5 within 1e-9
model subscript_extreme
  parameter Integer M = 6;
  Real w[M](each start = 1, each fixed = true);
  Real tau[M - 1] = {0.5*k for k in 1:M - 1};
equation
  for k in 1:M loop
    der(w[k]) = if k < M then tau[min(k, M - 1)] else 0.6*tau[min(k, M - 1)];
  end for;
end subscript_extreme;
