//! command check {file}
model M
  function f
    input Real u[3];
    output Real y;
  algorithm
    y := sum(u);
  end f;
  Real x = f({1, 2}); //! error T163
end M;
