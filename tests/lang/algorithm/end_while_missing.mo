model M
  Real x, y;
algorithm
  while x > 1 loop
    x := 1;

end M;
//! error P104 7:1
