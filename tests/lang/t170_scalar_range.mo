//! command check {file}
model M
  Real x[3];
equation
  for i in 3 loop //! error T170
    x[i] = i;
  end for;
end M;
