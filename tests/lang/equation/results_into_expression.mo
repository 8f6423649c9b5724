//! command check {file}
model M
  function f
    output Real a;
    output Real b;
  algorithm
    a := 1;
    b := 2;
  end f;
  Real x, y;
equation
  (x + 1, y) = f(); //! error T174
end M;
