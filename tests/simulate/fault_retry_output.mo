// The error of a step makes a decaying state negative, at its end or at output points inside, where a
// root has no value then. Such steps are taken back and shorter ones do.
//! command simulate {file} --stop 1 --intervals 50 --output -
//! near y(0.2) = 0.00673794699908547 within 1e-4
//! near y(0.5) = 3.72665317207867e-6 within 1e-4
//! near y(1) = 0 within 1e-4
model RootOfDecay
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -50*x;
  y = sqrt(x);
end RootOfDecay;
