model M
  parameter Integer a = b + 1;
  parameter Integer b = c + 1;
  parameter Integer c = a - 2;
  Real x = 1;
end M;
//! command check {file}
//! error F125 2:21
//! message a, b, c
