model M
  Real x[3];
equation
  for i in 1:2 loop
    x[i] = i;
  end for;
end M;
//! command check {file}
//! error F170 1:7
