//! command check {file}
model M
  Boolean b = true and 1; //! error T140
end M;
