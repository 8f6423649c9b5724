model M
  function f
    input Real u;
    output Real a;
    output Real b;
  algorithm
    a := u;
    b := 2*u;
  end f;
  Real x, y, z;
equation
  (x, y, z) = f(time);
end M;
//! command check {file}
//! error T172 12:3
//! message 3 variables for the 2 results of 'M.f'
