model M
  Real x, y;
equation
  x = a;
  y = b;
end M;
//! command check {file}
//! error F100 4:7
//! error F100 5:7
