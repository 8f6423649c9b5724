model M
  Real x = 1;
equation
  assert(x, "x");
end M;
//! command check {file}
//! error T150 4:10
