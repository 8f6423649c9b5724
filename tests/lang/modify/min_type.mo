model M
  Integer i(min = 0.5) = 1;
end M;
//! command check {file}
//! error T101 2:19
