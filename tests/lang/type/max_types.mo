model M
  Real x = max(1, true);
end M;
//! command check {file}
//! error T150 2:19
