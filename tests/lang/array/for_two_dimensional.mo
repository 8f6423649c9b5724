model M
  Real x[3];
equation
  for i in ones(2, 2) loop
    x[1] = 1;
  end for;
end M;
//! command check {file}
//! error T170 4:12
