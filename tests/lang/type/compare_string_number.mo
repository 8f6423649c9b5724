model M
  Boolean b = "a" < 3;
end M;
//! command check {file}
//! error T140 2:19
