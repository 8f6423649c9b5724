model M
  Real x = max(1);
end M;
//! command check {file}
//! error T150 2:16
