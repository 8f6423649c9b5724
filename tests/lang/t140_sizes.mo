//! command check {file}
model M
  Real x[2] = {1, 2} + {1, 2, 3}; //! error T140
end M;
