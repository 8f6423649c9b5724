//! command check {file}
model M
  Real x[2] = {1, 2};
  Real y = x[end + 1]; //! error T121
  Real z[2] = {x[3], 1}; //! error T121
end M;
