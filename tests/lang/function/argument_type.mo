model M
  function f
    input Integer n;
    output Real y;
  algorithm
    y := n;
  end f;
  Real x = f(1.5);
end M;
//! command check {file}
//! error T163 8:14
//! message argument 'n' of 'M.f' is Integer, but this is Real
