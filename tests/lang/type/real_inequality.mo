model M
  Real x = time, y = 2*time;
  Boolean b = x <> y;
end M;
//! command check {file}
//! error T142 3:17
