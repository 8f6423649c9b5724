model M
  Real x = 1;
equation
  assert(x > 0, 2);
end M;
//! command check {file}
//! error T150 4:17
