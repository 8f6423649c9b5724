model M
  Real y = (zeros(3))[1, 2];
end M;
//! command check {file}
//! error T122 2:23
