//! command check {file}
model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := der(u); //! error T152
  end f;
  parameter Integer n = integer(f(1));
  Real x[n];
end M;
