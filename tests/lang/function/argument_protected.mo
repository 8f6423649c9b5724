model M
  function f
    input Real u;
    output Real y;
  protected
    Real z;
  algorithm
    z := u;
    y := z;
  end f;
  Real x = f(1, z = 2);
end M;
//! command check {file}
//! error T161 11:17
