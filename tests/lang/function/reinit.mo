model M
  function f
    input Real u;
    output Real y;
  algorithm
    reinit(u, 1);
    y := u;
  end f;
  Real x = f(time);
end M;
//! command check {file}
//! error T152 6:5
