//! command check {file}
model M
  Real x[3];
equation
  for i in 1:3 loop
    x[i] = i;
  end for;
  assert(i > 1, "i is gone"); //! error F100
end M;
