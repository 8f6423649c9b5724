model M
  function f
    input Real speed;
    output Real y;
  algorithm
    y := speed;
  end f;
  Real x = f(sped = 1);
end M;
//! command check {file}
//! error T161 8:14
//! message 'M.f' has no argument 'sped'; did you mean 'speed'?
