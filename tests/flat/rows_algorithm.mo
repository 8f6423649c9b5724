//! command check {file}
//! output 2 equations, 2 unknowns
model M
  Real x;
  Real y;
algorithm
  x := time;
  for i in 1:3 loop
    x := x + i;
  end for;
  y := 2*x;
end M;
