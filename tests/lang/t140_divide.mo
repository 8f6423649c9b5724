//! command check {file}
model M
  Real x[2] = 1/{1, 2}; //! error T140
end M;
