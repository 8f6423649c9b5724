//! command check {file}
model M
  Boolean b = not 1; //! error T141
end M;
