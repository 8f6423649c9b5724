// A model without states at the border of a guarded part.
//! command simulate {file} --stop 3 --intervals 30 --output -
//! near y(0.5) = 0.707106781186548 within 1e-12
//! near y(2) = 0 within 0
//! near z(2) = 5 within 0
model BorderTime
  function positive
    input Real x;
    output Real y;
  algorithm
    assert(x > 0, "x must be positive");
    y := x;
    annotation (Inline = false);
  end positive;
  Real x = 1 - time;
  Real y = if x > 0 then sqrt(x) else 0;
  Real z = if x > 0 then positive(x) else 5;
end BorderTime;
