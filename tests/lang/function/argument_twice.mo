model M
  function f
    input Real u;
    input Real v = 1;
    output Real y;
  algorithm
    y := u + v;
  end f;
  Real x = f(1, u = 2);
end M;
//! command check {file}
//! error T162 9:17
//! message argument 'u' is given twice
