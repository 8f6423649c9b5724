model M
  Real x = delay(time, 0.1, 1 + time);
end M;
//! command check {file}
//! error T150 2:31
