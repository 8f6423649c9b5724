model M
  Real x = 1;
  Integer n = size(x, 1);
end M;
//! command check {file}
//! error T151 3:15
