model M
  Real x = time;
  Real y = der(x, 2);
end M;
//! command check {file}
//! error T160 3:12
