model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := u;
  end f;
  Real x = f;
end M;
//! command check {file}
//! error T101 8:12
