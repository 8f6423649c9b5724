//! command check {file}
model M
  Real x = 1;
equation
  assert(x, "wrong"); //! error T150
end M;
