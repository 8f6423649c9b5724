model M
  Real x = homotopy(1, true);
end M;
//! command check {file}
//! error T150 2:24
