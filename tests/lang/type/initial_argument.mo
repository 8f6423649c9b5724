model M
  Boolean b = initial(1);
end M;
//! command check {file}
//! error T160 2:15
