model M
  Integer n = 1.5;
end M;
//! command check {file}
//! error T101 2:15
