//! command check {file}
model M
  function f
    input Real speed;
    output Real y;
  algorithm
    y := speed;
  end f;
  Real x = f(sped = 1); //! error T161
end M;
