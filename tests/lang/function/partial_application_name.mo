model M
  partial function Shape
    input Real u;
    output Real y;
  end Shape;
  function two
    input Real a;
    input Real b;
    output Real y;
  algorithm
    y := a + b;
  end two;
  function integral
    input Shape f;
    output Real y;
  algorithm
    y := f(0.5);
  end integral;
  Real x = integral(function two(c = 1));
end M;
//! command check {file}
//! error T161 19:34
