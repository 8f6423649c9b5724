model M
  Real x = sum(true for i in 1:3);
end M;
//! command check {file}
//! error T165 2:16
