//! command check {file}
model M
  function f
    input Integer n;
    output Real y;
  algorithm
    y := n;
  end f;
  Real x = f(1.5); //! error T163
end M;
