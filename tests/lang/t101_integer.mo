//! command check {file}
model M
  Integer n = 1.5; //! error T101
end M;
