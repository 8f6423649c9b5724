model M
  parameter Integer k = 4;
  Real x[2] = {1, 2};
  Real y = x[k];
end M;
//! command check {file}
//! error T121 4:14
