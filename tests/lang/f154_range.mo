//! command check {file}
model M
  Real x[3];
equation
  for i in 1:integer(time) loop //! error F154
    x[i] = 1;
  end for;
end M;
