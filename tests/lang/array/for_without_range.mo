model M
  Real x[3];
equation
  for i loop
    x[1] = 1;
  end for;
end M;
//! command check {file}
//! error F904 4:7
