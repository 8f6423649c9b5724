model M
  Real x(start = 1, start = 2) = 3;
end M;
//! command check {file}
//! error F131 2:21
//! message 'start' is modified twice
