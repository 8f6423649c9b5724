// A linear process that becomes unstable in the middle of a run.
//! command simulate {file} --stop 3 --output r.csv --quiet
//! error R112 9:3
//! message 'z'
//! exit 3
model M
  Real z(start = 1), a(start = 1, fixed = true);
equation
  Rubato.THETA*der(z) = 1 - a*z;
  der(a) = -1;
end M;
