model M
  Real x[2] = {1, 2} + 1;
end M;
//! command check {file}
//! error T140 2:22
//! message .+
