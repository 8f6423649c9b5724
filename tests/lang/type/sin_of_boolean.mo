model M
  Real x = sin(true);
end M;
//! command check {file}
//! error T150 2:16
