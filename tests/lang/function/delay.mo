model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := delay(u, 1);
  end f;
  Real x = f(time);
end M;
//! command check {file}
//! error T152 6:10
