model M
  Boolean b = true;
  Real x = der(b);
end M;
//! command check {file}
//! error T150 3:16
