//! command simulate {file} --stop 2 --variables ^x$ --output -
//! warning R105 8:8
//! message 'y' is 1.404
//! near x(2) = 2 within 1e-6
// Bounds of a variable that nobody records are looked at as well.
model BoundsUnrecorded
  Real x(start = 0, fixed = true);
  Real y(max = 1.4) = 1.5*noEvent(if x > 1 then 1 else x);
equation
  der(x) = 1;
end BoundsUnrecorded;
