model M
  Boolean b = pre(time > 1);
end M;
//! command check {file}
//! error T150 2:24
