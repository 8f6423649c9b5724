model M
  Real x = smooth("a", time);
end M;
//! command check {file}
//! error T150 2:19
