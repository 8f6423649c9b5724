model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := u;
  algorithm
    y := 2*u;
  end f;
  Real x = f(1);
end M;
//! command check {file}
//! error F115 7:3
