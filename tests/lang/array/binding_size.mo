model M
  Real x[3] = {1, 2};
end M;
//! command check {file}
//! error T102 2:15
//! message 'x' is Real[3], but its value is Integer[2]
