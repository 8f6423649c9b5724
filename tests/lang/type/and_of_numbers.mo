model M
  Boolean b = 1 and 2;
end M;
//! command check {file}
//! error T140 2:17
