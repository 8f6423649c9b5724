//! command simulate {file} --output - --stop 1 --intervals 2
// The equation is solved for an input of f by its annotated inverse, whose arguments stand in
// another order; the other input has an inverse, too.
//! near x(1) = 0.30228704752336455 within 1e-12
//! near k2(1) = 1.0895924333594664 within 1e-12
//! near n(1) = 0 within 1e-12
model FunctionInverse
  function f
    input Real u;
    input Real k;
    output Real y;
  algorithm
    y := k*sinh(u);
    annotation(inverse(u = g(k, y), k = h(u = u, y = y)), smoothOrder = 3);
  end f;
  function g
    input Real k;
    input Real y;
    output Real u;
  algorithm
    u := log(y/k + sqrt((y/k)^2 + 1));
  end g;
  function h
    input Real y;
    input Real u;
    output Real k;
  algorithm
    k := y/sinh(u);
  end h;
  parameter Real k = 2;
  Real x(start = 1e300), k2(start = 1e300); // no start for an iteration
  Real w = sin(time) + 2;
  Real n = w - 3*f(x, k) - 1;
equation
  w = 3*f(x, k) + 1;
  w + 1 = 3*f(1, k2);
end FunctionInverse;
