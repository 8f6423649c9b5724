model M
  Real x[2] = 1:0:2;
end M;
//! command check {file}
//! error T131 2:17
//! message the step of a range is zero
