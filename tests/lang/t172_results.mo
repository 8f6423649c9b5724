//! command check {file}
model M
  function f
    output Real y;
  algorithm
    y := 1;
  end f;
  Real a;
  Real b;
equation
  (a, b) = f(); //! error T172
end M;
