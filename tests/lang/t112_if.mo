//! command check {file}
model M
  Real x = if 1 then 2 else 3; //! error T112
end M;
