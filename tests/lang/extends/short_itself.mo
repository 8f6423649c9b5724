model M
  type T = T;
  T x = 1;
end M;
//! command check {file}
//! error F122 2:12
