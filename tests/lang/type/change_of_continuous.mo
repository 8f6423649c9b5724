model M
  Real x = time;
  Boolean b = change(x);
end M;
//! command check {file}
//! error T150 3:22
