model M
  Real x;
equation
  x = 3 + z;
end M;
//! command check {file}
//! error F100 4:11
