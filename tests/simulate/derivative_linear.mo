// The derivative of a function is linear in the rates: it is written out, so that the equations for
// them are a linear system.
//! command structure {file} --model P.M
//! output linear block of 2, 1 iteration variables
package P
  function density
    input Real p;
    input Real h;
    output Real d;
  algorithm
    d := 2*p + p*h;
    annotation (derivative = density_der, Inline = false);
  end density;

  function density_der
    input Real p;
    input Real h;
    input Real p_der;
    input Real h_der;
    output Real d_der;
  algorithm
    if p > 0 then
      d_der := (2 + h)*p_der + p*h_der;
    else
      d_der := 2*p_der;
    end if;
  end density_der;

  model M
    Real p(start = 1, fixed = true, stateSelect = StateSelect.always);
    Real h(start = 1, fixed = true, stateSelect = StateSelect.always);
    Real d, u;
  equation
    d = density(p, h);
    u = d*h - p;
    der(d) = 1 - p;
    der(u) = -h;
  end M;
end P;
