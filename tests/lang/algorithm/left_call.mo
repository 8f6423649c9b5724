model M
  Real x, y;
algorithm
  f(x) := 2;
end M;
//! error P123 4:3
