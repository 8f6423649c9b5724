model M
  Real d = time;
  Boolean b = sample(0, d);
end M;
//! command check {file}
//! error T150 3:25
