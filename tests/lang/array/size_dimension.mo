model M
  Real x[2] = {1, 2};
  Integer n = size(x, 2);
end M;
//! command check {file}
//! error T151 3:15
//! message 'size' of dimension 2, but the argument has 1
