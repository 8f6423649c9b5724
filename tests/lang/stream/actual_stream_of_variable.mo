model M
  Real x = 1;
  Real y = actualStream(x);
end M;
//! command check {file}
//! error T150 3:25
