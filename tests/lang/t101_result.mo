//! command check {file}
model M
  function f
    output Real y;
    output String s;
  algorithm
    y := 1;
    s := "a";
  end f;
  Real a;
  Real b;
equation
  (a, b) = f(); //! error T101
end M;
