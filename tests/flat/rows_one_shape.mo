//! command check {file} --dump=rows
//! output 1000 rows in 1 famil
model M
  Real x[1000](each start = 1, each fixed = true);
equation
  for i in 1:1000 loop
    der(x[i]) = -i*x[i];
  end for;
end M;
