// Two variables that are equal, or opposite, by the equations cannot be fixed at different values.
//! command check {file} --model M
//! error D124 10:36
//! error D124 11:8
//! message 'b' is fixed at 2, but 'a', which is equal to it, is fixed at 1
//! message 9:8: note: 'a' is declared here
//! message 'c' is fixed at 1, but 'a', which is its opposite, is fixed at 1
model M
  Real a(start = 1, fixed = true);
  Real d(start = 1, fixed = true), b(start = 2, fixed = true);
  Real c(start = 1, fixed = true);
equation
  der(a) = -a;
  a = b;
  c = -a;
  der(d) = 1;
end M;
