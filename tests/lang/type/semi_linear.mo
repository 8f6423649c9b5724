model M
  Real x = semiLinear(time, 1, false);
end M;
//! command check {file}
//! error T150 2:32
