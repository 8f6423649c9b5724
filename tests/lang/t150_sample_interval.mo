model M
  Boolean b = sample(0, 0);
end M;
//! command check {file}
//! error T150 2:25
