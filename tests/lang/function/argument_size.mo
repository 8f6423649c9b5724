model M
  function f
    input Real u[3];
    output Real y;
  algorithm
    y := sum(u);
  end f;
  Real x = f({1, 2});
end M;
//! command check {file}
//! error T163 8:14
