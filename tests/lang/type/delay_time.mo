model M
  Real x = delay(time, "a");
end M;
//! command check {file}
//! error T150 2:24
