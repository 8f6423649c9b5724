model M
  Real x[2] = {1, 2};
  Real y = x["a"];
end M;
//! command check {file}
//! error T120 3:14
