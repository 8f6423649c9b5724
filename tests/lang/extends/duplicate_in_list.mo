model M
  Real x, y, x;
equation
  x = 1;
  y = 1;
end M;
//! command check {file}
//! error F110 2:14
