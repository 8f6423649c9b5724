model M
  Real x = 1 if 3;
end M;
//! command check {file}
//! error T112 2:17
