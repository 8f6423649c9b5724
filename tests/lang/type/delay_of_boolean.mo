model M
  Real x = delay(true, 0.1);
end M;
//! command check {file}
//! error T150 2:18
