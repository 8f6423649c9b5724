model M
  Real x[2] = {1, 2} + {1, 2, 3};
end M;
//! command check {file}
//! error T140 2:22
//! message operator '+' cannot join Integer[2] and Integer[3]
