model M
  Real x = cos();
end M;
//! command check {file}
//! error T160 2:12
