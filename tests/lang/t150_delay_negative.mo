model M
  Real x = delay(time, -1);
end M;
//! command check {file}
//! error T150 2:24
