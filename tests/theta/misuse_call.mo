//! command check {file}
//! error H102 16:3
//! message 'THETA' is of the order THETA^1, but must be finite
model M
  function f
    input Real x;
    output Real y = x;
  algorithm
    while y > 1 loop
      y := y/2;
    end while;
  end f;
  parameter Real THETA = 1;
  Real x(start = 1);
equation
  f(THETA)*der(x) = -x;
end M;
