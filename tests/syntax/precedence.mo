// The tree of expressions: signs, powers, products, relations, logic, ranges.
//! command parse --quiet --dump=parse {file}
//! golden precedence.txt
model P
  Real a = -x^2*y + z/w - 1;
  Boolean b = not x < y + 1 and c or d;
  Integer r[:] = 1:n - 1:2*n;
  Real e = (-x)^(2 + y);
end P;
