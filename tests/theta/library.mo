// Rubato.THETA is found beside the program, without an option. It has no value to set.
//! command check {file} --dump=theta
//! output a: level 1
//! check ! {rubato} simulate {file} --set THETA=2 --quiet --no-cache 2> out && grep -q "THETA" out
model M
  Real a(start = 3), x(start = 1, fixed = true);
equation
  Rubato.THETA*der(a) = x - a;
  der(x) = -a;
end M;
