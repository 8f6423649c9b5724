model M
  Real x[2];
equation
  x = 1;
end M;
//! command check {file}
//! error T103 4:3
