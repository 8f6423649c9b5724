model M
  Real outside = time;
  function f
    input Real u;
    output Real y;
  algorithm
    y := u + outside;
  end f;
  Real x = f(time);
end M;
//! command check {file}
//! error F128 7:14
