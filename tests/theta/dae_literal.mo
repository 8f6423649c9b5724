// A tool that takes THETA for a parameter of value 1 simulates another model, and an unstable one.
//! command simulate {file} --stop 20 --intervals 40 --tolerance 1e-9 --output -
//! near x(1) = 0.868191 within 1e-6
//! near x(5) = -1.743661 within 2e-6
//! near x(20) = -84.8 within 0.05
model Literal
  Real a(start = 0, fixed = true);
  Real x(start = 1, fixed = true);
  Real y(start = 0, fixed = true);
  parameter Real factor = 1.0;
  function s
    input Real a;
    output Real oa;
  algorithm
    if a < -1 then
      oa := a/4 - 3/4;
    elseif a > 1 then
      oa := a/4 + 3/4;
    else
      oa := a;
    end if;
  end s;
equation
  der(x) = y;
  der(y) = -0.1*a - 0.4*y;
  der(a)*factor = 10*x - s(a);
end Literal;
