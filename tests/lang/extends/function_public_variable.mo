model M
  function f
    input Real u;
    output Real y;
    Real z;
  algorithm
    z := u;
    y := z;
  end f;
  Real x = f(1);
end M;
//! command check {file}
//! error F115 5:10
//! message public components of a function are inputs or outputs
