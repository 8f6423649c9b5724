model M
  Real x;
equation
  x = "one";
end M;
//! command check {file}
//! error T103 4:3
