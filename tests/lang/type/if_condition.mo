model M
  Real x = if 1 then 2 else 3;
end M;
//! command check {file}
//! error T112 2:15
