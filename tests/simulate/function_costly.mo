// Results of a long function are kept by its arguments: the same point asked twice, other points in
// between, and a call that fails does not leave a result behind.
//! command simulate {file} --model P.M --stop 1 --intervals 10 --tolerance 1e-8 --output -
//! near a(1) = 2 within 1e-9
//! near b(1) = 2 within 1e-9
//! near c(1) = 3 within 1e-9
//! near x(1) = 2.718281828459045 within 1e-6
package P
  function root "of y^2 = u"
    input Real u;
    output Real y;
    output Integer steps;
  protected
    Real before;
  algorithm
    assert(u > 0, "no root");
    y := u;
    before := 0;
    steps := 0;
    while abs(y - before) > 1e-14*abs(y) and steps < 100 loop
      before := y;
      y := (y + u/y)/2;
      steps := steps + 1;
    end while;
    for i in 1:10 loop
      y := y + (sin(y)^2 + cos(y)^2 - 1) + (exp(log(y)) - y)*1e-3;
      y := y + (sinh(y)^2 - cosh(y)^2 + 1)*1e-6 + (tan(y) - sin(y)/cos(y))*1e-6;
    end for;
    annotation (Inline = false);
  end root;

  model M
    Real x(start = 1, fixed = true);
    Real a, b, c;
  equation
    a = root(4);
    b = root(4*time + 4 - 4*time);
    c = root(9);
    der(x) = root(x^2);
  end M;
end P;
