model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := v;
  end f;
  Real x = f(1);
end M;
//! command check {file}
//! error F100 6:10
