model M
  Integer n = integer(time);
  Real x = smooth(n, time);
end M;
//! command check {file}
//! error T150 3:19
