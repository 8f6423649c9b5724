model M
  Integer n = 2^3;
end M;
//! command check {file}
//! error T101 2:16
