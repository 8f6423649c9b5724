// A function with an array among its inputs whose derivative is not known, because it calls external code: the derivatives of
// the model go on through differences of this function alone, with sinh(x) + 3 sinh(2 x) = 1 at rest, also those of a nonlinear loop.
//! command simulate {file} --stop 2 --output - --trust --method radauIIA5
//! near x(2) = 0.14117582115685837 within 1e-5
//! near y(0) = 2.697418223824854 within 1e-9
//! stat jacobians_differenced = 0
model DifferenceOfArrays
  function hyperbolic
    input Real x;
    output Real y;
    external "C" y = sinh(x);
  end hyperbolic;
  function f
    input Real x;
    input Real c[:];
    input Real d[2, 1];
    output Real y = d[2, 1];
  protected
    Integer k = 1;
  algorithm
    while k <= size(c, 1) loop
      y := y + c[k]*hyperbolic(k*x);
      k := k + 1;
    end while;
  end f;
  Real x(start = 0, fixed = true), y(start = 2);
equation
  der(x) = 100*(1 - f(x, {1, 3, 0}, {{1}, {0}}));
  y + f(y - 2.5, {2, 1}, {{1}, {1}}) = 4.5;
end DifferenceOfArrays;
