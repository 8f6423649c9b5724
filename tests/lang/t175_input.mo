//! command check {file}
model M
  function f
    input Real u;
    output Real y;
  algorithm
    u := 1; //! error T175
    y := u;
  end f;
  parameter Integer n = integer(f(1));
  Real x[n] = ones(n);
end M;
