//! command check {file}
model M
  Boolean b = 1; //! error T101
end M;
