model M
  Real x = sin(x = 1);
end M;
//! command check {file}
//! error T161 2:16
