//! command check {file}
model M
  Real x = 1 + true; //! error T140
end M;
