//! command check {file}
model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := u;
  end f;
  Real x = f(1, 2); //! error T160
end M;
