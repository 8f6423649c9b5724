model M
  Real x[2] = {1, 2};
  Real y = x[3];
end M;
//! command check {file}
//! error T121 3:14
//! message subscript 3 of 'x' is outside 1..2
