model M
  Real x = sum(j for i in 1:3);
end M;
//! command check {file}
//! error F100 2:16
