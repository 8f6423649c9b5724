// An array declared as the result of a call: one call for all elements, also in a linear system, and
// sizes of results that follow from sizes of arguments, although these vary with time.
//! command simulate {file} --output -
//! near x[1](1) = 0.1 within 1e-12
//! near x[20](1) = 0.1 within 1e-12
//! near y[3](1) = 0 within 1e-12
//! near y[2](1) = 4 within 1e-12
//! near w[4](0.5) = 0 within 1e-12
//! near w[1](0.5) = 1 within 1e-12
//! stat rows = 30
model M
  function matrix
    input Integer n;
    input Real t;
    output Real A[n, n];
  algorithm
    for i in 1:n loop
      for j in 1:n loop
        A[i, j] := if i == j then 10*t else 0*sin(i*j*t);
      end for;
    end for;
  end matrix;
  function longer
    input Real x[:];
    input Integer k = 1;
    output Real y[size(x, 1) + k];
  algorithm
    y := cat(1, 2*x, zeros(k));
  end longer;
  parameter Integer n = 20;
  Real A[n, n] = matrix(n, time + 1e-300);
  Real x[n];
  Real y[:] = longer({time, 2*time});
  Real u[2] = {time, 1};
  Real w[:] = longer(u, 2);
equation
  A*x = fill(time, n);
end M;
