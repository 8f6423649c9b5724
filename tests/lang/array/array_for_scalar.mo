model M
  Real x = {1, 2};
end M;
//! command check {file}
//! error T102 2:12
