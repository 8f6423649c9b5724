model M
  parameter Integer n;
  Real x[n];
end M;
//! command check {file}
//! error F150 3:10
//! message parameter 'n' has no value
