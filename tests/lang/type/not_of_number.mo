model M
  Boolean b = not 1;
end M;
//! command check {file}
//! error T141 2:15
