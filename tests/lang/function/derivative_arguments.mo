model M
  function f
    input Real x;
    output Real y;
  algorithm
    y := x^2;
    annotation(derivative = g);
  end f;
  function g "takes no derivative of x"
    input Real x;
    output Real dy;
  algorithm
    dy := 2*x;
  end g;
  function k
    input Real x;
    input Real a[2];
    input Integer n;
    output Real y;
  algorithm
    y := x*a[1]*n;
    annotation(derivative(zeroDerivative = a) = h);
  end k;
  function h
    input Real x;
    input Real a[2];
    input Integer n;
    input Real der_x;
    output Real dy;
  algorithm
    dy := der_x*a[1]*n;
  end h;
  Real x = f(time), y = k(time, {1, 2}, 3);
end M;
//! command check {file}
//! warning T107 7:16
//! message not those of a derivative
