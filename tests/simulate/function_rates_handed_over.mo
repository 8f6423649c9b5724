// A signal and its rate go into a circuit by a function whose derivative takes the rate: without clocks the
// current follows from the text as well, so that the adaptor can be solved for either of them.
//! command simulate {file} --model P.M --stop 1 --intervals 4 --tolerance 1e-9 --output -
//! near v(1) = 0.63212055882855767 within 1e-7
//! near i(1) = 0.36787944117144233 within 1e-7
package P
  function state
    input Real u[2];
    input Real dummy;
    output Real s;
  algorithm
    s := u[1];
    annotation (derivative(noDerivative = u) = state_der);
  end state;

  function state_der
    input Real u[2];
    input Real dummy;
    input Real dummy_der;
    output Real s;
  algorithm
    s := u[2];
  end state_der;

  model M
    Real v(start = 0, fixed = true) "over a capacitor of 1", w "over another one beside it", i, rate;
  equation
    v = state({w, rate}, time);
    rate = der(w);
    i = 0.5*der(v) + 0.5*der(w);
    v + i = 1;
  end M;
end P;
