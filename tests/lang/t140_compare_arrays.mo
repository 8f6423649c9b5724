//! command check {file}
model M
  Boolean b = {1, 2} < {2, 3}; //! error T140
end M;
