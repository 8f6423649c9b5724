// Results of a call that are an array without elements have no equation.
//! command simulate {file} --model Empty --stop 1 --output -
//! near y(1) = 1 within 1e-9
model Empty
  function f
    input Real u;
    input Integer n;
    output Real x[n];
  protected
    Real a;
  algorithm
    a := u;
    for i in 1:n loop
      a := a + 1;
      x[i] := a;
    end for;
  end f;
  parameter Integer n = 0;
  Real x[n];
  Real bound[n] = f(time, n);
  Real y = time + sum(x) + sum(bound);
equation
  x = f(2*time, n);
end Empty;
