model M
  function f
    input Real u[:];
    output Real y;
  algorithm
    y := sum(u);
  end f;
  Real x = f(i for i in 1:3);
end M;
//! command check {file}
//! error F902 8:12
