model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := u;
    break;
  end f;
  Real x = f(1);
end M;
//! command check {file}
//! error T178 7:5
