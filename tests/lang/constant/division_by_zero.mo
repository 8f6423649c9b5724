model M
  parameter Integer n = div(3, 0);
  Real x[n];
end M;
//! command check {file}
//! error F150 3:10
//! message division by zero
