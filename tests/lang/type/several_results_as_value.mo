model M
  function f
    input Real u;
    output Real a;
    output Real b;
  algorithm
    a := u;
    b := 2*u;
  end f;
  Real x, y;
equation
  (x, y) = time + 1;
end M;
//! command check {file}
//! error T171 12:17
