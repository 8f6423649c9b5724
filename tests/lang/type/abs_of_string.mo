model M
  Real x = abs("a");
end M;
//! command check {file}
//! error T150 2:16
