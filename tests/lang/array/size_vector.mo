model M
  Real x[{2, 3}];
end M;
//! command check {file}
//! error T110 2:10
