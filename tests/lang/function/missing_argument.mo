model M
  function f
    input Real u;
    input Real v;
    output Real y;
  algorithm
    y := u + v;
  end f;
  Real x = f(1);
end M;
//! command check {file}
//! error T164 9:12
//! message argument 'v' of 'M.f' is missing
