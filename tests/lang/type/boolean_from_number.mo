model M
  Boolean b = 1;
end M;
//! command check {file}
//! error T101 2:15
