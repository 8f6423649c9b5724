model M
  Real x = 1 + true;
end M;
//! command check {file}
//! error T140 2:14
//! message operator '+' cannot join Integer and Boolean
