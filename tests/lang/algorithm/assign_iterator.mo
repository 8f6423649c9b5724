model M
  Real x;
algorithm
  x := 0;
  for i in 1:3 loop
    i := 2;
  end for;
end M;
//! command check {file}
//! error T174 6:5
