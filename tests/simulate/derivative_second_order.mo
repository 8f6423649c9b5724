// A constraint through a function whose second derivative is given by an annotation of the first one: it
// takes the second derivatives of the inputs only.
//! command simulate {file} --stop 2 --tolerance 1e-8 --output -
//! near x(1) = 0.841470984807897 within 1e-8
//! near v(1) = 0.54030230586814 within 1e-7
//! near force(1) = 0 within 1e-6
//! near force(2) = 0 within 1e-6
model SecondOrder
  function f
    input Real x;
    input Integer n;
    input Real a;
    output Real y;
  algorithm
    y := a*x^n + x;
    annotation (derivative = df, Inline = false);
  end f;
  function df
    input Real x;
    input Integer n;
    input Real a;
    input Real dx;
    input Real da;
    output Real dy;
  algorithm
    dy := (n*a*x^(n - 1) + 1)*dx + da*x^n;
    annotation (derivative(order = 2) = ddf, Inline = false);
  end df;
  function ddf
    input Real x;
    input Integer n;
    input Real a;
    input Real dx;
    input Real da;
    input Real ddx;
    input Real dda;
    output Real ddy;
  algorithm
    ddy := (n*a*x^(n - 1) + 1)*ddx + n*(n - 1)*a*x^(n - 2)*dx^2 + 2*da*n*x^(n - 1)*dx + dda*x^n;
    annotation (Inline = false);
  end ddf;
  Real x, v, force;
equation
  f(x, 3, time^2) = time^2*sin(time)^3 + sin(time);
  der(x) = v;
  der(v) = force - x;
end SecondOrder;
