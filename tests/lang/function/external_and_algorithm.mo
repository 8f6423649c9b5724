model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := u;
  external "C" y = f(u);
  end f;
  Real x = f(time);
end M;
//! command check {file}
//! error F115 7:3
