//! command check {file}
model M
  Real x(start = 1, start = 2) = 3; //! error F131
end M;
