model M
  Real x = time;
  Real y = pre(x);
end M;
//! command check {file}
//! error T150 3:16
//! message 'pre' needs a discrete variable
