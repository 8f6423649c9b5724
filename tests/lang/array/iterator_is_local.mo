model M
  Real x[2] = {i for i in 1:2};
  Real y = i;
end M;
//! command check {file}
//! error F100 3:12
