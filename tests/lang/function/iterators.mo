//! command check {file}
model M
  function f
    input Real x;
    input Real y[:, :];
    output Real z;
  algorithm
    z := x + sum(y);
  end f;
  Real a = f(i for i in 1:3); //! error T164
  Real b;
equation
  b = 1;
end M;
