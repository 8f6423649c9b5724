// An Integer that varies has no derivative, one that does not has the derivative 0.
//! command check {file} --quiet
//! error T150 12:19
//! error T150 13:12
model DerOfInteger
  parameter Integer n = 3;
  Integer i = integer(time);
  Real a = der(n);
  Real b = der(2);
  Real c, d;
equation
  c = 1 + der(2*n + integer(time));
  d = der(2*i);
end DerOfInteger;
