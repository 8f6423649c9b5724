// What is fast is not always worth it: an oscillation without damping, and a process that only its own past explains.
//! command advise {file} --model Oscillates
//! output no parasitic states: nothing is far faster than the steps of the rest\n
//! check {rubato} advise {file} --model Grows > grows; grep -q "^no parasitic states" grows
//! check {rubato} advise {file} --model Carries > carries; grep -q "^without c: s differs by" carries && grep -q "^none of them can be left to THETA" carries
model Oscillates "at 1e6 rad/s"
  Real x(start = 1, fixed = true), a(start = 0, fixed = true), b(start = 0, fixed = true);
equation
  der(x) = -x;
  der(a) = 1e6*b;
  der(b) = -1e6*a;
end Oscillates;
model Grows "fast away from 0, where it begins"
  Real x(start = 1, fixed = true), a(start = 0, fixed = true);
equation
  der(x) = -x;
  der(a) = 1e6*a;
end Grows;
model Carries "a capacitor that is charged by u and discharged into s, in turn"
  Real s(start = 0, fixed = true), c(start = 0, fixed = true), i;
  Boolean charges = integer(20*time) - 2*integer(10*time) == 0;
equation
  i = if charges then 1e5*(1 - c) else 1e5*(s - c);
  der(c) = i;
  der(s) = if charges then 0 else -i/10;
end Carries;
