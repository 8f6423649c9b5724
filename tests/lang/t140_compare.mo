//! command check {file}
model M
  Boolean b = "a" < 1; //! error T140
end M;
