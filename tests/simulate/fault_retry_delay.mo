// What is delayed has no value where the error of a step makes a decaying state negative; such a
// step is not remembered.
//! command simulate {file} --stop 1 --intervals 50 --output -
//! near y(0.3) = 0.00673794699908547 within 1e-4
//! near y(0.7) = 0 within 1e-4
model DelayDecay
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -50*x;
  y = delay(sqrt(x), 0.1);
end DelayDecay;
