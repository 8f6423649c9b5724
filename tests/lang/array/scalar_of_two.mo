model M
  Real x = scalar({1, 2});
end M;
//! command check {file}
//! error T150 2:19
