model M
  Real x = .5f;
end M;
//! error L106 2:12
