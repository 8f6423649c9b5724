model M
  Real x = 2y;
end M;
//! error L106 2:12
