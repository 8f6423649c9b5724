//! command check {file}
model M
  partial function F
    input Real x;
    output Real y;
  end F;
  function g
    input Integer n;
    output Real y;
  algorithm
    y := n;
  end g;
  function apply
    input F f;
    output Real y;
  algorithm
    y := f(1.5);
  end apply;
  Real z = apply(g); //! error T163
end M;
