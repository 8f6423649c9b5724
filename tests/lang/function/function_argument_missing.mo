model M
  partial function Shape
    input Real u;
    output Real y;
  end Shape;
  function integral
    input Shape f;
    output Real y;
  algorithm
    y := f(0.5);
  end integral;
  Real x = integral(time);
end M;
//! command check {file}
//! error T163 12:21
