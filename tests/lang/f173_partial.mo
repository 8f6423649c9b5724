//! command check {file}
partial model M //! error F173
  Real x = 1;
end M;
