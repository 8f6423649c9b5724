model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := u;
  end f;
  Real x = f(u = 1, u = 2);
end M;
//! command check {file}
//! error T162 8:21
