model M
  Real x[2] = {1, 2};
  Real y = x[1, 2];
end M;
//! command check {file}
//! error T122 3:12
//! message 'x' has 1 dimension but 2 subscripts
