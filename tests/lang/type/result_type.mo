model M
  function f
    input Real u;
    output Real a;
    output Boolean b;
  algorithm
    a := u;
    b := u > 0;
  end f;
  Real x, y;
equation
  (x, y) = f(time);
end M;
//! command check {file}
//! error T101 12:7
