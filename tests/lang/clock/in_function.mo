model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := hold(u);
  end f;
  Real x = f(1);
end M;
//! command check {file}
//! error T152 6:10
