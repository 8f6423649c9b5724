model M
  Real x(start(a = 1)) = 2;
end M;
//! command check {file}
//! error F130 2:16
