model M
  Real x[3];
equation
  for i in 3 loop
    x[i] = 1;
  end for;
end M;
//! command check {file}
//! error T170 4:12
//! message did you mean 1:3?
