model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := der(u);
  end f;
  Real x = f(time);
end M;
//! command check {file}
//! error T152 6:10
//! message 'der' is not allowed in a function
