model M
  function f
    input String s;
    output Real y;
  algorithm
    y := 1;
  end f;
  Real x = f(1);
end M;
//! command check {file}
//! error T163 8:14
