model M
  stream Real h = 1;
end M;
//! command check {file}
//! error F117 2:15
