model M
  function f
    input Real u[:];
    output Real y;
  algorithm
    y := sum(u);
  end f;
  Real x = f(time);
end M;
//! command check {file}
//! error T163 8:14
