// Partial derivatives of a function whose result is an array.
//! command simulate {file} --output - --stop 1 --intervals 2
//! near y[1](1) = 4 within 1e-12
//! near y[2](1) = 12 within 1e-12
//! near z[3](1) = 30 within 1e-12
model FunctionPartialArray
  function f
    input Real x;
    output Real y[2];
  algorithm
    y := {x^2, x^3};
  end f;
  function g = der(f, x);
  function many
    input Real x;
    input Real a[:];
    output Real y[size(a, 1)];
  algorithm
    for i in 1:size(a, 1) loop
      y[i] := a[i]*x^i;
    end for;
  end many;
  function slope = der(many, x);
  Real y[2] = g(2*time);
  Real z[3] = slope(sqrt(10)*time, {1, 1, 1});
end FunctionPartialArray;
