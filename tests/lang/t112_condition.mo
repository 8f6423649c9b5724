//! command check {file}
model M
  Real x if 1; //! error T112
end M;
