model M
  Real x = sum({true, false});
end M;
//! command check {file}
//! error T150 2:16
