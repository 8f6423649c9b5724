model M
  Integer n = integer(time);
  Real x[n];
end M;
//! command check {file}
//! error F150 3:10
