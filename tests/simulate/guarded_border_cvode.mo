// The same with CVODE, whose steps fall below the resolution of time in front of the border.
//! needs SUNDIALS
//! command simulate {file} --stop 3 --intervals 30 --solver cvode --tolerance 1e-8 --output -
//! near level(1) = 0.25 within 1e-5
//! near level(3) = 0 within 1e-5
//! near root(3) = 0.666666666666667 within 1e-5
//! near w(2) = 0 within 0
//! near checked(0.5) = 0.5 within 1e-6
//! near checked(3) = 1 within 1e-5
//! near v(3) = -7 within 0
//! near n(3) = 1 within 0
model GuardedBorderCvode
  function positive
    input Real x;
    output Real y;
  algorithm
    assert(x >= 0, "x must not be negative");
    y := 1;
    annotation (Inline = false);
  end positive;
  Real level(start = 1, fixed = true), root(start = 0, fixed = true);
  Real checked(start = 0, fixed = true), x(start = 1, fixed = true);
  Real w = if x > 0 then sqrt(x) else 0;
  Real v = if x > 0 then x*log(x) else -7;
  discrete Integer n(start = 0, fixed = true);
equation
  der(level) = if level > 0 then -sqrt(level) else 0;
  der(x) = -1;
  der(root) = w;
  der(checked) = if x >= 0 then positive(x) else 0;
  when w <= 0 then
    n = pre(n) + 1;
  end when;
end GuardedBorderCvode;
