model M
  Boolean b = sample(0, "a");
end M;
//! command check {file}
//! error T150 2:25
