// noDerivative: what the annotation gives is the derivative along the time, where p is the rate of
// the result. It is no partial derivative, so Newton's method takes the body instead.
//! command simulate {file} --model P.M --stop 9 --intervals 9 --output -
//! warning R105 27:5
//! message the equation for 'der(y)' does not feel it: it has many solutions, and that with 'der(y)' nearest
//! near y(1) = 1 within 2e-11
//! near y(9) = 2 within 2e-11
//! near z(9) = 1 within 1e-6
package P
  function f
    input Real x, p;
    output Real r;
  algorithm
    r := x + x^3;
    annotation(Inline = false, derivative(noDerivative = p) = f_der);
  end f;
  function f_der
    input Real x, p, dx;
    output Real dr;
  algorithm
    dr := p;
    annotation(Inline = false);
  end f_der;
  model M
    Real y(start = 1), u, z;
  equation
    f(y, 1) = time + 1;
    u = f(y, 1);
    z = der(u);
  end M;
end P;
