model M
  Real x = mod(3, false);
end M;
//! command check {file}
//! error T150 2:19
