// All results of one call that an equation needs are computed by one call.
//! command simulate {file} --model P.M --dump compile --stop-after compile
//! output (c, x[0], &t0, &t1, &t2);
package P
  record Props
    Real a;
    Real b;
    Real c;
  end Props;

  function props "constant arrays as wholes have no derivative"
    input Real x;
    output Props p;
  protected
    Real w[2];
  algorithm
    w := ones(2);
    p := Props(x*w[1], 2*x*w[2], 2*x);
    annotation (Inline = false);
  end props;

  function twice
    input Real x;
    input Props p;
    output Real y;
  algorithm
    y := p.a + p.b - p.c/2;
    annotation (derivative(noDerivative = p) = twice_der, Inline = false);
  end twice;

  function twice_der
    input Real x;
    input Props p;
    input Real dx;
    output Real dy;
  algorithm
    dy := (p.b/p.a)*dx;
    annotation (Inline = false);
  end twice_der;

  model M
    Real x(start = 1, fixed = true, stateSelect = StateSelect.always);
    Real y, z;
  equation
    y = twice(x, props(x));
    der(y) = 2*z;
    z = -x;
  end M;
end P;
