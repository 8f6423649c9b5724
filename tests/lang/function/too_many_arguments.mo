model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := u;
  end f;
  Real x = f(1, 2);
end M;
//! command check {file}
//! error T160 8:17
//! message 'M.f' takes 1 argument, not 2
