model M
  function f
    input Real u;
    output Real y;
    output Real z;
    output Real none[0];
    output Real w = 2*u;
  algorithm
    y := u;
  end f;
  Real x = f(time);
end M;
//! command check {file}
//! warning T177 5:17
