//! command check {file}
model M
  Real x[3];
equation
  for i loop //! error F904
    x[i + 0] = i;
  end for;
end M;
