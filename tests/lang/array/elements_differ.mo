model M
  Real x[2] = {1, true};
end M;
//! command check {file}
//! error T133 2:19
