//! command check {file}
model M
  Real x[2] = {1, 2};
  Integer n = size(x, 2); //! error T151
end M;
