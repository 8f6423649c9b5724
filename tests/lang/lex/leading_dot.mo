model M
  Real x = .5;
end M;
//! error L106 2:12
