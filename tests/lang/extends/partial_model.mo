partial model M
  Real x = 1;
end M;
//! command check {file}
//! error F173 1:15
