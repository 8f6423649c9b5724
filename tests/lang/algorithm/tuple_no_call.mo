model M
  Real x, y;
algorithm
  (x, y) := 3;
end M;
//! error P123 4:13
