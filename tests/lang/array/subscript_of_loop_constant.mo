model M
  constant Integer n = 4;
  Real x[3];
equation
  for i in 1:3 loop
    x[i] = x[n];
  end for;
end M;
//! command check {file}
//! error T121 6:14
