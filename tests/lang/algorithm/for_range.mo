model M
  Real x;
algorithm
  x := 0;
  for i in 3 loop
    x := x + i;
  end for;
end M;
//! command check {file}
//! error T170 5:12
