model M
  function f
    input Real u;
    output Real a;
    output Real b;
  algorithm
    a := u;
    b := u;
  end f;
  Real x, y, z;
algorithm
  (x, y, z) := f(time);
end M;
//! command check {file}
//! error T172 12:3
