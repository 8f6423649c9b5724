model M
  function f
    input Real u;
    output Real y;
  equation
    y = u;
  end f;
  Real x = f(1);
end M;
//! command check {file}
//! error F113 5:3
