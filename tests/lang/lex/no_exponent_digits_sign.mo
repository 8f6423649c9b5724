model M
  Real x = 1e+;
end M;
//! error L106 2:12
