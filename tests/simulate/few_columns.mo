// The matrix of a torn block asks for as many directions as it has columns, also of functions with many arguments.
//! command simulate {file} --no-cache --stop 1 --intervals 2 --tolerance 1e-9 --method rodas4 --output -
//! near u(0) = 0.9260287717 within 1e-9
//! near x(1) = 1.12463299 within 1e-7
//! near w(1) = 1.27452694 within 1e-7
//! stat jacobians_differenced = 0
//! stat jacobians > 0
model M
  function f
    input Real a, b, p, q, r;
    output Real y;
  algorithm
    y := a*a*b + p*b + q*r;
    for k in 1:3 loop
      y := y/(1 + 0.01*y*y);
    end for;
    annotation(Inline = false);
  end f;
  Real x(start = 1, fixed = true), y(start = 2, fixed = true), u(start = 1), w(start = 1);
equation
  der(x) = 1 - u;
  der(y) = w - y;
  f(u, w, x, y, x*y) = 3;
  f(w, u, y, x, x + y) + u = 4;
end M;
