model M
  Real x[2];
algorithm
  x[3] := 1;
end M;
//! command check {file}
//! error T121 4:5
