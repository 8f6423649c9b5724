model M
  Real x;
algorithm
  x := 1;
  return;
end M;
//! command check {file}
//! error T179 5:3
