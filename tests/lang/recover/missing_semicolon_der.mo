// The next line begins an equation with der or a number: the ';' is missing before it.
//! command check {file}
//! error P102 7:13
//! error P102 8:14
model M
  Real x(start = 1), y(start = 0), z; equation
  der(x) = y
  der(y) = -x
  0 = z - x;
end M;
